from __future__ import annotations

import polars as pl

from microveil.tables import Table
from microveil.tabulation.counting import count_cells
from microveil.tabulation.dimensions import Nodes, flat_rows
from microveil.tabulation.sources.gathered import Gathered
from microveil.tabulation.tabulation import Tabulation

FRAME = pl.DataFrame(
    {
        "town": ["a", "a", "a", "b"],
        "firm": ["x", "x", "y", "z"],
        "value": [5.0, 7.0, 3.0, 9.0],
        "weight": [2.0, 1.0, 1.0, 1.0],
    }
)


def test_contributions_of_one_firm_are_added_and_the_largest_comes_first() -> None:
    table = Tabulation(by=["town"], value="value", contributor="firm")
    dimension = Nodes("town").dimension(flat_rows(FRAME["town"]), "Total")
    counted = count_cells(Gathered.of(Table(FRAME), table), [dimension])
    cells = dict(zip(counted.nodes["town"].to_list(), range(3), strict=True))
    total, first = cells[dimension.total], cells[dimension.chains[0][0]]
    assert counted.n[[total, first]].tolist() == [3, 2]
    assert counted.largest[total, :3].tolist() == [12, 9, 3]
    assert counted.totals[[total, first]].tolist() == [24, 15]
    assert min(counted.sole.tolist()) == -1


def test_weights_count_in_the_total_only() -> None:
    table = Tabulation(by=["town"], value="value", weight="weight")
    dimension = Nodes("town").dimension(flat_rows(FRAME["town"]), "Total")
    counted = count_cells(Gathered.of(Table(FRAME), table), [dimension])
    assert sorted(counted.totals.tolist()) == [9, 20, 29]
    assert counted.largest.max() == 9
