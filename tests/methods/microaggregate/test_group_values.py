from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.methods.microaggregate.step import Microaggregate
from microveil.tables import Roles, Table


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([1, 2, 50, 51], [1.5, 1.5, 50.5, 50.5], id="integers"),
        pytest.param(
            [dt.date(2020, 1, 1), dt.date(2020, 1, 3), dt.date(2021, 1, 1), dt.date(2021, 1, 3)],
            [dt.date(2020, 1, 2)] * 2 + [dt.date(2021, 1, 2)] * 2,
            id="dates",
        ),
        pytest.param([True, True, False, False], [True, True, False, False], id="booleans"),
        pytest.param(["u", "u", "v", "v"], ["u", "u", "v", "v"], id="nominal"),
    ],
)
def test_every_kind_has_its_centre(values: list[Any], expected: list[Any]) -> None:
    released = Microaggregate(columns="x", k=2).protect({"x": values})["x"]
    assert released.to_list() == expected


def test_integers_stay_integers_when_asked() -> None:
    released = Microaggregate(columns="x", k=3, keep_integers=True).protect({"x": [1, 2, 5]})["x"]
    assert released.dtype == pl.Int64
    assert released.to_list() == [3, 3, 3]


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [("median", "low"), ("mode", "low"), ("convex_median", "mid"), ("auto", "low")],
)
def test_ordinal_values_have_medians(aggregation: Any, expected: str) -> None:
    # Two camps, low and top: the median takes the larger, the convex median meets between them.
    frame = pl.DataFrame({"x": ["low", "low", "low", "top", "top"]}, schema={"x": ORDERED})
    step = Microaggregate(columns="x", k=5, aggregation=aggregation)
    assert step.protect(frame)["x"].unique().to_list() == [expected]


def test_a_mean_of_categories_is_refused() -> None:
    with pytest.raises(mv.ColumnError, match="cannot be aggregated by mean"):
        Microaggregate(columns="x", k=2, aggregation="mean").protect({"x": ["u", "v"]})


@pytest.mark.parametrize("aggregation", ["mean", "median", "mode"])
def test_a_weight_stands_for_so_many_records(aggregation: Any) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        values, weights = rng.integers(0, 6, 7), rng.integers(0, 4, 7)
        weights[rng.integers(7)] += 1
        table = Table({"x": values, "w": weights}, Roles(weight="w"))
        step = Microaggregate(columns="x", k=7, aggregation=aggregation)
        found = step.protect(table).frame["x"][0]
        many = np.repeat(values, weights)
        expected = {"mean": many.mean(), "median": np.median(many), "mode": mode(many)}
        assert found == pytest.approx(expected[aggregation])


def test_ordinal_medians_go_by_weight() -> None:
    kind = pl.Enum(["a", "b", "c"])
    frame = {"x": pl.Series(["a", "b", "c"], dtype=kind), "w": [1, 1, 5]}
    after = Microaggregate(columns="x", k=3).protect(Table(frame, Roles(weight="w")))
    assert after.frame["x"].to_list() == ["c"] * 3


ORDERED = pl.Enum(["low", "mid", "high", "top"])


def mode(values: Any) -> int:
    found, counts = np.unique(values, return_counts=True)
    return int(found[np.argmax(counts)])
