from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.tables import Table
from microveil.tabulation.building import build_cells

CELLS = mv.CellColumns(count="n")


def test_a_cell_that_two_tables_show_is_one_number() -> None:
    frame = pl.DataFrame(
        {"a": ["x", "y"] * 3, "b": ["u", "v", "w"] * 2, "c": ["p"] * 3 + ["q"] * 3}
    )
    tables = [mv.Tabulation(by=["a", "b"]), mv.Tabulation(by=["a", "c"])]
    (cells,) = build_cells([Table(frame)] * 2, tables)
    one, other = cells.tables
    shared = set(one.cells.tolist()) & set(other.cells.tolist())
    assert {cells.codes_of(cell) for cell in shared} == {"Total × Total", "x × Total", "y × Total"}
    assert cells.system.is_additive()


def test_tables_that_disagree_are_refused_with_the_cell() -> None:
    one = pl.DataFrame({"a": ["x", "y", "Total"], "n": [3, 4, 7]})
    other = pl.DataFrame({"b": ["u", "v", "Total"], "n": [3, 5, 8]})
    tables = [mv.Tabulation(by=["a"], cells=CELLS), mv.Tabulation(by=["b"], cells=CELLS)]
    with pytest.raises(mv.InputError, match=r"another value .* Total"):
        mv.tabulate([one, other], tables)


def test_the_only_contributor_of_a_total_is_that_of_its_part() -> None:
    frame = pl.DataFrame({"a": ["x", "y", "Total"] * 2, "b": ["u"] * 3 + ["Total"] * 3})
    table = frame.with_columns(n=pl.Series([1, 4, 5, 1, 4, 5]))
    (cells,) = build_cells([Table(table)], [mv.Tabulation(by=["a", "b"], cells=CELLS)])
    assert len(set(cells.sole[cells.sole >= 0].tolist())) == 1
