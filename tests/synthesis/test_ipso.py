from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.synthesis.ipso import Ipso


def table(n: int = 200) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    age = rng.integers(20, 60, n)
    pay = age * 50 + rng.exponential(500, n)
    return pl.DataFrame(
        {
            "area": rng.choice(["n", "s", "w"], n),
            "age": age,
            "pay": pay,
            "tax": pay * 0.3 + rng.normal(0, 20, n),
        }
    )


@pytest.mark.parametrize("n", [10, 200, 1000])
def test_means_and_covariances_are_kept_exactly(n: int) -> None:
    frame = table().drop("area")
    drawn = (
        Ipso().fit(mv.Table(frame), np.random.default_rng(1)).sample(n, np.random.default_rng(2))
    )
    before, after = frame.to_numpy().astype(float), drawn.to_numpy()
    assert after.mean(axis=0) == pytest.approx(before.mean(axis=0))
    assert np.cov(after.T).ravel() == pytest.approx(np.cov(before.T).ravel())
    assert not np.isin(after, before).any()


def test_every_regression_on_what_is_given_gives_the_same_numbers() -> None:
    frame = table()
    settings = mv.Synthesizer(generator="ipso", columns=["pay", "tax"])
    drawn = settings.fit(frame, seed=1).sample(seed=2)
    assert drawn.select("area", "age").equals(frame.select("area", "age"))
    assert not drawn["pay"].equals(frame["pay"])
    design = np.column_stack(
        [
            np.ones(frame.height),
            frame["age"].to_numpy(),
            (frame["area"] == "s").to_numpy(),
            (frame["area"] == "w").to_numpy(),
        ]
    )
    fits = [np.linalg.lstsq(design, one.select("pay", "tax").to_numpy()) for one in (frame, drawn)]
    assert fits[1][0].ravel() == pytest.approx(fits[0][0].ravel())
    assert fits[1][1].ravel() == pytest.approx(fits[0][1].ravel())
    covariances = [np.cov(one.select("age", "pay", "tax").to_numpy().T) for one in (frame, drawn)]
    assert covariances[1].ravel() == pytest.approx(covariances[0].ravel())


def test_constant_columns_stay_constant() -> None:
    frame = pl.DataFrame({"x": np.arange(20.0), "one": [7.0] * 20})
    drawn = (
        Ipso().fit(mv.Table(frame), np.random.default_rng(1)).sample(30, np.random.default_rng(2))
    )
    assert drawn["one"].to_numpy() == pytest.approx(np.full(30, 7.0))


def test_text_gaps_and_too_few_records_are_refused() -> None:
    with pytest.raises(mv.InputError, match="only numbers, not column 'area'"):
        mv.Synthesizer(generator="ipso").fit(table())
    gaps = table().drop("area").with_columns(pl.col("pay").shift(1))
    with pytest.raises(mv.InputError, match="finite number in every cell, unlike in column 'pay'"):
        mv.Synthesizer(generator="ipso").fit(gaps)
    with pytest.raises(mv.InputError, match="too few"):
        mv.Synthesizer(generator="ipso", columns=["pay", "tax", "age"]).fit(table(6))
    with pytest.raises(mv.InputError, match="Draw more than 4"):
        mv.Synthesizer(generator="ipso").fit(table().drop("area")).sample(3)
