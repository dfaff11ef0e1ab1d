from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.tables import Table
from microveil.tabulation.building import build_cells
from microveil.tabulation.knowledge import Knowledge
from tests.tabulation.instances import people

FRAME = people({("a", "f"): 5, ("a", "m"): 1, ("b", "f"): 7, ("b", "m"): 9}, ["town", "sex"])


def test_true_records_bound_the_cells_they_may_be_in() -> None:
    (cells,) = build_cells([Table(FRAME)], [mv.Tabulation(by=["town", "sex"])])
    released = FRAME.with_columns(
        pl.when(pl.col("town") == "a").then(None).otherwise("sex").alias("sex")
    )
    known = Knowledge.of(cells).with_records(cells, released)
    bounds = {cells.codes_of(at): (known.floor[at], known.ceiling[at]) for at in range(9)}
    assert bounds["b × f"] == (7, 7)
    assert bounds["a × m"] == (0, 6)
    assert bounds["Total × m"] == (9, 15)


def test_records_that_give_a_cell_away_make_the_table_impossible() -> None:
    with pytest.raises(mv.GoalNotReachedError, match="a × m cannot be protected"):
        mv.tabulate(FRAME, mv.Tabulation(by=["town", "sex"]), released=FRAME)
