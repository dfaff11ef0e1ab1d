from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.tables import Table
from microveil.tabulation.sources.gathered import Gathered

FRAME = pl.DataFrame(
    {"town": ["a", "a", "b", "a"], "value": [1.0, 9.0, None, 5.0], "firm": ["x", "y", "x", "x"]}
)


def test_a_code_whose_values_are_missing_is_still_a_code() -> None:
    found = Gathered.of(Table(FRAME), mv.Tabulation(by=["town"], value="value"))
    assert found.column("town").to_list() == ["a", "b"]
    assert found.column("town", repeated=True).to_list() == ["a", "a", "a", "b"]
    assert found.sums.height == 1
    assert found.n_records == 4


def test_the_largest_contributions_of_parts_are_those_of_the_whole() -> None:
    table = mv.Tabulation(by=["town"], value="value")
    parts = [Gathered.of(Table(FRAME[at : at + 1]), table, first=at) for at in range(4)]
    together = Gathered.together(parts, table)
    assert together.largest is not None
    assert together.largest["__value"].to_list() == [9, 5, 1]
    assert together.sums["__shown"].to_list() == [15]


def test_records_of_one_contributor_in_two_parts_are_one_contribution() -> None:
    table = mv.Tabulation(by=["town"], value="value", contributor="firm")
    parts = [Gathered.of(Table(FRAME[:2]), table), Gathered.of(Table(FRAME[2:]), table, first=2)]
    sums = Gathered.together(parts, table).sums
    assert dict(sums.select("__person", "__shown").iter_rows()) == {"x": 6, "y": 9}
