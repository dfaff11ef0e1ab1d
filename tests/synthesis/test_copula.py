from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.synthesis.copula import Copula


def table(n: int = 4000) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    z = rng.multivariate_normal([0, 0, 0], [[1, 0.7, 0.5], [0.7, 1, 0.3], [0.5, 0.3, 1]], n)
    return pl.DataFrame(
        {
            "pay": np.exp(z[:, 0]),
            "class": np.array(["b", "c", "a"])[np.digitize(z[:, 1], [-0.5, 0.7])],
            "score": pl.Series(z[:, 2].round(1)).set(pl.Series(z[:, 0] > 1), None),
        }
    )


def test_distributions_and_correlations_are_kept() -> None:
    frame = table()
    model = Copula().fit(mv.Table(frame), np.random.default_rng(1))
    drawn = model.sample(4000, np.random.default_rng(2))
    assert drawn["pay"].median() == pytest.approx(1, abs=0.1)
    shares = drawn["class"].value_counts(normalize=True).sort("class")["proportion"]
    wanted = frame["class"].value_counts(normalize=True).sort("class")["proportion"]
    assert shares.to_list() == pytest.approx(wanted.to_list(), abs=0.03)
    for one in (frame, drawn):
        means = one.group_by("class").agg(pl.col("pay").log().mean()).sort("pay")
        assert means["class"].to_list() == ["b", "c", "a"]
        assert means["pay"][2] - means["pay"][0] == pytest.approx(1.6, abs=0.25)


def test_what_is_missing_depends_on_the_other_columns() -> None:
    model = Copula().fit(mv.Table(table()), np.random.default_rng(1))
    drawn = model.sample(4000, np.random.default_rng(2))
    rich, poor = drawn.filter(pl.col("pay") > 2.7), drawn.filter(pl.col("pay") < 1)
    assert rich["score"].is_null().mean() > 3 * poor["score"].is_null().mean()  # type: ignore[operator]


def test_columns_are_drawn_given_others() -> None:
    frame = table()
    model = Copula().fit(mv.Table(frame), np.random.default_rng(1), given=["pay", "score"])
    drawn = model.sample(4000, np.random.default_rng(2), frame.select("pay", "score"))
    assert drawn.columns == ["class"]
    high = drawn.filter(frame["pay"] > 2.7)["class"].value_counts(normalize=True, sort=True)
    assert high["class"][0] == "a"


def test_constant_and_empty_columns_pass() -> None:
    frame = pl.DataFrame(
        {"one": [1] * 20, "none": pl.Series([None] * 20, dtype=pl.Float64), "x": range(20)}
    )
    drawn = (
        Copula().fit(mv.Table(frame), np.random.default_rng(1)).sample(10, np.random.default_rng(1))
    )
    assert drawn["one"].to_list() == [1] * 10
    assert drawn["none"].null_count() == 10
    assert drawn.schema == frame.schema
