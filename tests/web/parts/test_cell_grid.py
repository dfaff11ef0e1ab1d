"""Cells: what is unsafe is told by colour and in words; what is left out is struck out."""

from __future__ import annotations

from pathlib import Path

from microveil.web.parts.cell_grid import cell_grid
from microveil.web.project.tabulating import CellView, TableView
from tests.web.drawing import drawn, paper

CELLS = (
    CellView(2.0, None, "unsafe"),
    CellView(9.0, None, "secondary"),
    CellView(12.0, 10.0, "safe"),
    CellView(None, None, "empty"),
)
VIEW = TableView("t", ("town",), tuple("abcd"), ((("Ames",), CELLS),), 3)


def test_cells_left_out_are_struck_out_and_changed_ones_show_the_truth(tmp_path: Path) -> None:
    page = paper(tmp_path, name="tables", empty=True)
    found = drawn(lambda: cell_grid(page, VIEW, protected=True))
    assert [node._text for node in found.all("s")] == ["2", "9"]
    assert [node.props["aria-label"] for node in found.all("s")] == [
        "2: unsafe",
        "9: left out with others",
    ]
    assert {"10", " (12)"} <= set(found.texts)
    assert page.text("tables.more_lines", n=2) in found.texts


def test_unprotected_cells_are_marked_for_who_sees_and_who_listens(tmp_path: Path) -> None:
    page = paper(tmp_path, name="tables", empty=True)
    cells = (CellView(2.0, 2.0, "unsafe"),)
    view = TableView("t", ("town",), ("n",), ((("Ames",), cells),), 1)
    found = drawn(lambda: cell_grid(page, view, protected=False))
    assert found.all("s") == []
    (cell,) = [node for node in found.all("td") if "cell-unsafe" in node.classes]
    assert page.text("tables.cell_unsafe") in found.texts
    assert cell.props["title"] == page.text("tables.cell_unsafe")
