from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, SpecError
from microveil.methods.aggregate import Aggregate
from microveil.tables import Roles, Table

FRAME = pl.DataFrame({"g": ["a", "a", "a", "b", "b", None], "x": [1, 2, None, 4, 8, 5]})


def aggregated(frame: Any, **how: Any) -> list[Any]:
    return list(Aggregate(columns="x", **how).protect(frame)["x"].to_list())


@pytest.mark.parametrize(
    ("statistic", "result"),
    [
        ("mean", [1.5, 1.5, None, 6.0, 6.0, 5.0]),
        ("median", [1.5, 1.5, None, 6.0, 6.0, 5.0]),
        ("sum", [3, 3, None, 12, 12, 5]),
        ("min", [1, 1, None, 4, 4, 5]),
        ("max", [2, 2, None, 8, 8, 5]),
        ("mode", [1, 1, None, 4, 4, 5]),
        ("count", [2, 2, None, 2, 2, 1]),
    ],
)
def test_a_value_becomes_its_groups_statistic(statistic: str, result: list[Any]) -> None:
    assert aggregated(FRAME, by="g", statistic=statistic, min_group=1) == result


def test_small_groups_are_made_missing_and_counted() -> None:
    step = Aggregate(columns="x", by="g", min_group=2)
    outcome = step.apply(Table(FRAME), np.random.default_rng(0))
    assert outcome.table.frame["x"].to_list() == [1.5, 1.5, None, 6.0, 6.0, None]
    assert outcome.facts == {
        "n_changed": {"x": 5},
        "n_missing": {"x": 1},
        "n_cells_suppressed": {"x": 1},
        "n_groups": 3,
        "now_float": ["x"],
    }


def test_a_missing_cell_does_not_make_a_group_larger() -> None:
    assert aggregated(FRAME, by="g", min_group=3) == [None] * 6


def test_one_person_with_many_rows_is_no_group() -> None:
    roles = Roles(entity="who")
    frame = pl.DataFrame({"who": [1, 1, 1, 2, 3, 4], "g": list("aaabbb"), "x": [1.0] * 6})
    after = Aggregate(columns="x", by="g").protect(Table(frame, roles)).frame
    assert after["x"].to_list() == [None] * 3 + [1.0] * 3


def test_without_groups_the_whole_table_is_one() -> None:
    assert aggregated({"x": [1.0, 2.0, 6.0]}) == [3.0] * 3


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("uvw")), min_size=1, max_size=30))
def test_of_equally_frequent_modes_the_smallest_is_taken(rows: list[tuple[str, str]]) -> None:
    frame = pl.DataFrame(rows, schema=["g", "x"], orient="row")
    after = aggregated(frame, by="g", statistic="mode", min_group=1)
    for (group, _), new in zip(rows, after, strict=True):
        counts = Counter(value for name, value in rows if name == group)
        assert new == min(value for value in counts if counts[value] == max(counts.values()))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-99, 99)), max_size=40))
def test_means_keep_the_total_of_each_group(rows: list[tuple[int, int]]) -> None:
    frame = pl.DataFrame(rows, schema={"g": pl.Int64, "x": pl.Int64}, orient="row")
    after = Aggregate(columns="x", by="g", min_group=1).protect(frame)
    totals = [f.group_by("g").agg(pl.col("x").sum()).sort("g")["x"] for f in (frame, after)]
    assert np.allclose(totals[0], totals[1])


def test_means_of_dates_are_dates() -> None:
    days = [date(2024, 1, 1), date(2024, 1, 4), date(2024, 1, 10)]
    assert aggregated({"x": days}) == [date(2024, 1, 5)] * 3
    assert aggregated({"x": days}, statistic="median") == [date(2024, 1, 4)] * 3


def test_durations_and_booleans_add_up() -> None:
    assert aggregated({"x": [timedelta(1)] * 3}, statistic="sum") == [timedelta(3)] * 3
    assert aggregated({"x": [True, True, False]}, statistic="sum") == [2] * 3
    assert aggregated({"x": [True, True, False]}, statistic="median") == [1.0] * 3


@pytest.mark.parametrize("statistic", ["mode", "count"])
@pytest.mark.parametrize("min_group", [1, 10])
def test_every_kind_has_a_mode_and_a_count(
    any_column: pl.Series, statistic: str, min_group: int
) -> None:
    after = aggregated(any_column.to_frame(), statistic=statistic, min_group=min_group)
    gaps = [min_group == 10 or x is None for x in any_column.to_list()]
    assert [x is None for x in after] == gaps


@pytest.mark.parametrize("statistic", ["mean", "median", "min", "max"])
def test_every_ordered_kind_has_a_middle_and_ends(any_ordered: pl.Series, statistic: str) -> None:
    after = aggregated(any_ordered.to_frame(), statistic=statistic, min_group=1)
    assert [x is None for x in after] == any_ordered.is_null().to_list()


def test_the_time_zone_of_a_mean_is_the_columns_own() -> None:
    zone = pl.Datetime("us", "Europe/Madrid")
    frame = pl.DataFrame({"x": pl.Series([0, 10, 20]).cast(pl.Datetime("us")).cast(zone)})
    assert Aggregate(columns="x").protect(frame)["x"].dtype == zone


def test_groups_may_be_of_every_kind(any_column: pl.Series) -> None:
    frame = any_column.alias("g").to_frame().with_columns(x=pl.lit(1.0))
    assert aggregated(frame, by="g", min_group=1) == [1.0] * 6


@pytest.mark.parametrize(
    ("values", "statistic", "message"),
    [
        (["a"], "mean", "The mean needs numbers, dates or durations; use mode or count"),
        (["a"], "max", "The max needs numbers, dates or durations"),
        ([date(2024, 1, 1)], "sum", "The sum needs numbers or durations"),
    ],
)
def test_what_has_no_such_statistic_is_refused_with_a_hint(
    values: list[Any], statistic: str, message: str
) -> None:
    with pytest.raises(ColumnError, match=message):
        aggregated({"x": values}, statistic=statistic)


def test_a_column_does_not_group_itself() -> None:
    with pytest.raises(SpecError, match="'x' cannot be in both columns and by"):
        Aggregate.parse({"columns": ["x"], "by": ["x"]})


def test_nested_cells_are_refused_by_name(nested: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match="Step 'aggregate' cannot use column 'x'"):
        aggregated(nested, statistic="count")
    with pytest.raises(ColumnError, match="Step 'aggregate' cannot use column 'x'"):
        Aggregate(columns="y", by="x").protect(nested)


def test_an_empty_table_stays_empty() -> None:
    assert aggregated(FRAME.clear(), by="g") == []
