"""Protected tables as a workbook: a sheet each, suppressed cells marked, and a sheet of rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from microveil.files.formulas import neutralized_names
from microveil.reports.contents.tables.layout import SUPPRESSED, Layout

MOST_LETTERS = 31
"""Letters of a sheet's name."""


def write_workbook(path: Path, layouts: Sequence[Layout], notes: Sequence[Sequence[str]]) -> None:
    """Write the tables, and what may be said of their protection."""
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path), {"strings_to_formulas": False, "in_memory": True})
    forms = {
        "head": book.add_format({"bold": True, "bottom": 1}),
        "hidden": book.add_format({"bg_color": "#D9D9D9", "align": "right"}),
        "number": book.add_format({"num_format": "#,##0.##"}),
    }
    names: set[str] = {"rules"}
    for layout in layouts:
        _write_table(book.add_worksheet(_sheet_name(layout.title, names)), layout, book, forms)
    sheet = book.add_worksheet("Rules")
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 90)
    for row, line in enumerate(notes):
        for column, text in enumerate(neutralized_names(list(line))):
            sheet.write_string(row, column, text)
    book.close()


def _write_table(sheet: Any, layout: Layout, book: Any, forms: dict[str, Any]) -> None:
    heads = [*layout.down, *layout.across]
    for column, text in enumerate(neutralized_names(heads)):
        sheet.write_string(0, column, text, forms["head"])
    indents: dict[int, Any] = {}
    for row, line in enumerate(layout.lines, 1):
        if line.depth not in indents:
            indents[line.depth] = book.add_format({"indent": min(line.depth, 15)})
        for column, code in enumerate(neutralized_names(list(line.codes))):
            sheet.write_string(row, column, code, indents[line.depth] if column == 0 else None)
        if line.depth > 1:
            sheet.set_row(row, None, None, {"level": min(line.depth - 1, 7)})
        for column, value in enumerate(line.values, len(line.codes)):
            if value == SUPPRESSED:
                sheet.write_string(row, column, SUPPRESSED, forms["hidden"])
            elif value is not None:
                sheet.write_number(row, column, value, forms["number"])
    sheet.freeze_panes(1, len(layout.down))
    sheet.outline_settings(visible=True, symbols_below=False)


def _sheet_name(title: str, taken: set[str]) -> str:
    """A name that a workbook allows, and that no other sheet has."""
    plain = re.sub(r"[\[\]:*?/\\']", " ", title).strip()[:MOST_LETTERS] or "Table"
    name, number = plain, 2
    while name.lower() in taken:
        ending = f" {number}"
        name, number = plain[: MOST_LETTERS - len(ending)] + ending, number + 1
    taken.add(name.lower())
    return name
