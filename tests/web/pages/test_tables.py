"""Tables: margins by clicks, unsafe cells marked, and files only for tables that hold."""

from __future__ import annotations

from pathlib import Path

from microveil.web.pages.tables import PAPERS, content, plan_of
from tests.web.drawing import Drawn, Paper, paper, ready


def _draw(page: Paper) -> Drawn:
    return ready(page, lambda: content(page))


def _drafted(folder: Path) -> Paper:
    page = paper(folder, name="tables")
    for name in ("ill", "sex"):
        _draw(page).enter(f"margin {name}", True)
    return page


def test_margins_are_chosen_by_clicks_and_unsafe_cells_are_marked(tmp_path: Path) -> None:
    page = _drafted(tmp_path)
    assert plan_of(page).tables[0].by == ("ill", "sex")
    _draw(page).click("tables look")
    assert page.session.notice is None
    found = _draw(page)
    marked = [node for node in found.nodes if "cell-unsafe" in node.classes]
    assert len(marked) == 2  # colds of women and of men: two each
    assert "publish tables" not in found.keys
    _draw(page).enter("margin sex", False)
    assert plan_of(page).tables[0].by == ("ill",)
    assert not [node for node in _draw(page).nodes if "cell-unsafe" in node.classes]


def test_protected_tables_are_audited_and_fetched(tmp_path: Path) -> None:
    page = _drafted(tmp_path)
    _draw(page).click("tables do")
    assert page.session.notice is None
    found = _draw(page)
    assert len(found.all("s")) >= 4
    found.click("publish tables")
    assert page.session.notice is None
    links = [node.props["download"] for node in _draw(page).all("a") if "download" in node.props]
    assert links == ["tables.xlsx", "tables.html", "tables.zip", "tables.yaml", "record.json"]
    assert len(links) == len(PAPERS)


def test_several_tables_and_another_protection(tmp_path: Path) -> None:
    page = _drafted(tmp_path)
    _draw(page).click("add table")
    _draw(page).enter("margin ill", True)
    found = _draw(page)
    found.enter("shows", "mean age")
    found.enter("rule n", "2")
    plan = plan_of(page)
    assert [one.title for one in plan.tables] == ["count by ill, sex", "mean of age by ill"]
    assert plan.rules[0].to_dict()["n"] == 2
    _draw(page).click("drop table 0")
    assert len(plan_of(page).tables) == 1
    _draw(page).enter("protect", "round")
    _draw(page).enter("base", "10")
    assert plan_of(page).protect.to_dict()["base"] == 10
