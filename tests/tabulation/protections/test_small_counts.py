from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from tests.tabulation.instances import people, random_people


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([3, 5]))
def test_margins_are_exact_sums_and_no_small_inner_count_is_left(seed: int, base: int) -> None:
    frame = random_people(np.random.default_rng(seed), (3, 4, 2), most=9)
    table = mv.Tabulation(by=frame.columns)
    protect = mv.RoundSmallCounts(base=base)
    (made,) = mv.tabulate(frame, table, protect=protect).frames.values()
    inner = made.filter(pl.all_horizontal(pl.col(name) != "Total" for name in frame.columns))
    assert not inner["value"].is_between(1, base - 1).any()
    true = frame.group_by(frame.columns).len()
    both = inner.join(true, on=frame.columns)
    large = both.filter(pl.col("len") >= base)
    assert (large["value"] == large["len"]).all()
    for name in frame.columns:
        margin = made.filter(
            pl.all_horizontal(pl.col(o) == "Total" for o in set(frame.columns) - {name})
        )
        sums = inner.group_by(name).agg(pl.col("value").sum())
        joined = margin.join(sums, on=name)
        assert (joined["value"] == joined["value_right"]).all()
    total = made.filter(pl.all_horizontal(pl.col(name) == "Total" for name in frame.columns))
    assert abs(total["value"][0] - frame.height) <= base / 2


def test_several_tables_need_one_with_all_variables() -> None:
    frame = people({("a", "x", "p"): 2, ("b", "y", "q"): 4}, ["one", "two", "three"])
    tables = [mv.Tabulation(by=["one", "two"]), mv.Tabulation(by=["one", "three"])]
    with pytest.raises(mv.InputError, match="all variables"):
        mv.tabulate(frame, tables, protect=mv.RoundSmallCounts())
    whole = [*tables, mv.Tabulation(by=["one", "two", "three"])]
    assert len(mv.tabulate(frame, whole, protect=mv.RoundSmallCounts()).frames) == 3


def test_magnitudes_are_refused() -> None:
    frame = {"a": ["x", "y"], "v": [1.5, 2.0]}
    with pytest.raises(mv.InputError, match="whole numbers"):
        mv.tabulate(frame, mv.Tabulation(by=["a"], value="v"), protect=mv.RoundSmallCounts())
