from __future__ import annotations

import polars as pl

from microveil.tables import Table
from microveil.tabulation.counted import fill_empty
from microveil.tabulation.counting import count_cells
from microveil.tabulation.dimensions import Nodes, flat_rows
from microveil.tabulation.sources.gathered import Gathered
from microveil.tabulation.tabulation import Tabulation


def test_empty_cells_are_zero_and_belong_to_nobody() -> None:
    frame = pl.DataFrame({"a": ["x", "x", "y"], "b": ["u", "v", "u"]})
    dimensions = [Nodes(name).dimension(flat_rows(frame[name]), "Total") for name in "ab"]
    counted = count_cells(Gathered.of(Table(frame), Tabulation(by=["a", "b"])), dimensions)
    filled = fill_empty(counted, dimensions)
    assert (len(counted), len(filled)) == (8, 9)
    assert filled.totals[-1] == 0
    assert filled.sole[-1] == -1
