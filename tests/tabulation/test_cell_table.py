from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.tables import Table
from microveil.tabulation.building import build_cells

FRAME = pl.DataFrame({"a": ["x", "x", None], "b": ["u", "v", "u"]})


def test_a_cell_is_found_by_its_codes_and_named_by_them() -> None:
    (cells,) = build_cells([Table(FRAME)], [mv.Tabulation(by=["a", "b"])])
    (table,) = cells.tables
    (row,) = table.rows_of({"b": "v"}).tolist()
    assert table.codes_at(row) == "Total × v"
    assert not table.rows_of({"a": "(missing)", "b": "v"}).size


def test_cells_of_missing_codes_can_be_safe() -> None:
    found = [
        mv.tabulate(FRAME, mv.Tabulation(by=["a", "b"], missing=how), rules=[mv.Threshold(n=2)])
        .families[0]
        .judged.unsafe.sum()
        for how in ("unsafe", "safe")
    ]
    assert found == [5, 3]
