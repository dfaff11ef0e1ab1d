"""A table of cells: unsafe ones in red, what is left out with them, and what leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.web.parts.elements import Node, div, heading, words
from microveil.web.project.tabulating import CellView, TableView

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def cell_grid(page: Page, view: TableView, *, protected: bool) -> None:
    """A table; status is told by colour, by a mark, and in words for who listens."""
    heading(view.title, 3)
    with div("table-box cells", tabindex="0", role="region", aria_label=view.title), Node("table"):
        Node("caption", view.title, "sr-only")
        with Node("thead"), Node("tr"):
            for name in view.down:
                Node("th", name, scope="col")
            for code in view.across:
                Node("th", code, "num", scope="col")
        with Node("tbody"):
            for codes, cells in view.lines:
                with Node("tr"):
                    for code in codes:
                        Node("th", code, scope="row")
                    for cell in cells:
                        _draw_cell(page, cell, protected=protected)
    if view.n_lines > len(view.lines):
        words(page.text("tables.more_lines", n=view.n_lines - len(view.lines)), "hint")
    words(page.text("tables.legend_protected" if protected else "tables.legend"), "hint")


def _draw_cell(page: Page, cell: CellView, *, protected: bool) -> None:
    if cell.status == "empty":
        Node("td", "", "num")
        return
    told = page.text(f"tables.cell_{cell.status}")
    true = "" if cell.true is None else page.number(cell.true, ",.10g")
    hidden = protected and cell.published is None
    shown = page.number(cell.published, ",.10g") if cell.published is not None else true
    with Node("td", None, f"num cell-{cell.status}", title=told if cell.status != "safe" else None):
        if hidden:
            Node("s", true, aria_label=f"{true}: {told}")
            return
        Node("span", shown)
        if cell.status == "unsafe" and not protected:
            Node("span", told, "sr-only")
        if protected and cell.true is not None and cell.published != cell.true:
            Node("span", f" ({true})", "hint")
