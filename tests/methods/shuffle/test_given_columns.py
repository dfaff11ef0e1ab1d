from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.methods.shuffle.step import Shuffle


def test_missing_given_numbers_are_a_group_of_their_own() -> None:
    rng = np.random.default_rng(0)
    gap = rng.random(10_000) < 0.3
    s = rng.normal(size=10_000)
    frame = pl.DataFrame({"s": s, "x": np.where(gap, 3.0, s) + rng.normal(size=10_000)})
    before = frame.with_columns(s=pl.when(pl.Series(~gap)).then("s"))
    after = Shuffle(columns="x", given="s").protect(before, seed=1)
    rank = pl.col("x").rank()
    for part in (pl.col("s").is_null(), pl.col("s").is_not_null()):
        means = [one.select(rank.filter(part).mean()).item() for one in (before, after)]
        assert means[0] == pytest.approx(means[1], rel=0.03)


def test_every_kind_of_column_can_be_given(any_column: pl.Series) -> None:
    frame = any_column.to_frame().with_columns(y=pl.int_range(6))
    after = Shuffle(columns="y", given="x").protect(frame, seed=1)
    assert sorted(after["y"]) == list(range(6))


def test_infinite_given_numbers_are_refused() -> None:
    with pytest.raises(ColumnError, match="1 values of column 's' are infinite"):
        Shuffle(columns="x", given="s").protect({"x": [1, 2], "s": [1.0, float("inf")]})
