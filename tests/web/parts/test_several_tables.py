"""Several tables: a link can be ticked off, and one that names do not suggest can be added."""

from __future__ import annotations

from pathlib import Path

from microveil.web.parts.several_tables import draw_tables, send_tables
from tests.web.drawing import Drawn, Paper, drawn
from tests.web.pages.test_linked import opened


def _draw(page: Paper) -> Drawn:
    work = page.session.linked
    assert work is not None
    return drawn(lambda: draw_tables(page, work))


def test_a_link_is_added_by_choosing_two_columns(tmp_path: Path) -> None:
    page = opened(tmp_path)
    found = _draw(page)
    found.enter("link visits.patient_id -> patients.id", False)
    work = page.session.linked
    assert work is not None
    assert work.draft.links == []
    assert work.draft.counted == []
    found = _draw(page)
    found.enter("link from", "visits.cost")
    found.enter("link to", "patients.id")
    found.click("add link")
    assert work.draft.links == ["visits.cost -> patients.id"]
    assert work.draft.counted == ["visits"]


def test_one_table_alone_is_not_offered_as_several(tmp_path: Path) -> None:
    page = opened(tmp_path)
    assert "take all tables" not in drawn(lambda: send_tables(page)).keys
