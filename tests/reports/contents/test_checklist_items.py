from __future__ import annotations

import pytest

from microveil.reports.contents.checklist_items import ITEMS


@pytest.mark.parametrize("name", ITEMS)
def test_every_line_says_where_what_and_how(name: str) -> None:
    for clause, text, how in ITEMS[name]:
        assert clause
        assert text.endswith(".")
        assert how
    assert len(ITEMS[name]) == len({(clause, text) for clause, text, _ in ITEMS[name]})
