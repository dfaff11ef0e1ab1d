"""The tables that rows of a run in parts go to."""

from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.app.file_runs.parts_writing import tables_of


def test_rows_go_to_one_table_or_to_those_of_a_split() -> None:
    rows = pl.DataFrame({"link_id": [2, 1], "sex": ["f", "m"], "ill": ["a", "b"]})
    assert tables_of(None, rows)[0].equals(rows)
    split = mv.Decompose(groups={"people": ["sex"], "ills": ["ill"]})
    main, part = tables_of(split, rows)
    assert (main.columns, part.columns) == (["link_id", "sex"], ["link_id", "ill"])
