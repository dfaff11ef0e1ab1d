from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.synthesis.marginals import Marginals
from microveil.tables import Table


def drawn(frame: pl.DataFrame, n: int, **how: int) -> pl.DataFrame:
    model = Marginals(**how).fit(Table(frame), np.random.default_rng(0))
    return model.sample(n, np.random.default_rng(1))


def test_columns_keep_their_shares_and_no_relation() -> None:
    values = ["x"] * 60 + ["y"] * 30 + [None] * 10
    frame = pl.DataFrame({"one": values, "two": values})
    found = drawn(frame, 4000)
    for name in frame.columns:
        shares = dict(found[name].value_counts(normalize=True).iter_rows())
        assert shares == pytest.approx({"x": 0.6, "y": 0.3, None: 0.1}, abs=0.04)
    agree = found.select(pl.col("one").eq_missing(pl.col("two")).mean()).item()
    assert agree == pytest.approx(0.6**2 + 0.3**2 + 0.1**2, abs=0.04)


def test_rare_numbers_are_smoothed_unless_told_otherwise() -> None:
    frame = pl.DataFrame({"pay": np.random.default_rng(2).lognormal(3, 1, 200)})
    exact = drawn(frame, 500, smoothing=0)["pay"]
    assert exact.is_in(frame["pay"].implode()).all()
    smooth = drawn(frame, 500)["pay"]
    assert smooth.is_in(frame["pay"].implode()).mean() < 0.1  # type: ignore[operator]  # a number
    low, high = frame["pay"].min(), frame["pay"].max()
    assert smooth.is_between(low, high).all()
