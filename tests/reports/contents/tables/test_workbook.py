from __future__ import annotations

from pathlib import Path

import fastexcel

from microveil.reports.contents.tables import write_tables
from tests.reports.contents.tables.made import protected_tables


def test_suppressed_cells_are_marked_and_rules_have_a_sheet(tmp_path: Path) -> None:
    write_tables(protected_tables(), tmp_path / "t.xlsx")
    book = fastexcel.read_excel(str(tmp_path / "t.xlsx"))
    assert book.sheet_names == ["count by town, sex", "Rules"]
    cells = book.load_sheet(0).to_polars()
    assert cells.filter(town="<a>").row(0)[1:] == (6.0, "c", "c")
    assert "'=b" in cells["town"].to_list()
    rules = book.load_sheet(1, header_row=None).to_polars()
    told = " ".join(str(one) for row in rules.iter_rows() for one in row)
    assert "n = 3" in told
    assert "7" not in told.split("p_percent")[1].split("protection")[0]  # p helps an intruder
