from __future__ import annotations

from microveil.linked.reporting import summarize_linked
from microveil.reports.contents.tables_page import people_note, tables_section
from tests.linked.test_release import release


def test_each_table_and_link_is_on_the_page() -> None:
    told = summarize_linked(release())
    text = str(tables_section(told))
    assert all(f"<code>{name}</code>" in text for name in ("people", "visits"))
    assert "visits.person -&gt; people.id" in text
    assert "is a person" in str(people_note(told))
