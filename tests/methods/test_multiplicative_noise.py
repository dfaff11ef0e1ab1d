from __future__ import annotations

from datetime import date, timedelta
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.errors import ColumnError, SpecError
from microveil.methods.multiplicative_noise import MultiplicativeNoise
from microveil.tables import Table

Reals = NDArray[np.float64]


def factors(n: int = 50_000, **parameters: object) -> Reals:
    step = MultiplicativeNoise.parse({"columns": ["x"], **parameters})
    after: pl.DataFrame = step.protect(pl.DataFrame({"x": np.ones(n)}), seed=1)
    return after["x"].to_numpy()


def test_factors_have_mean_one_unless_said_otherwise() -> None:
    for sd in (0.1, 0.6, 1.5):
        found = factors(200_000, sd=sd)
        assert found.mean() == pytest.approx(1, abs=5 * sd / np.sqrt(200_000))
        assert (found > 0).all()


def test_plain_normal_factors_are_not_drawn_again() -> None:
    found = factors(200_000, sd=1.5, distribution="normal", redraw=False)
    assert found.mean() == pytest.approx(1, abs=5 * 1.5 / np.sqrt(200_000))
    assert found.std() == pytest.approx(1.5, rel=0.01)
    assert (found < 0).mean() == pytest.approx(NormalDist().cdf(-1 / 1.5), abs=0.01)


@pytest.mark.parametrize("sd", [0.3, 0.6, 1.0, 3.0])
def test_the_facts_say_what_factors_are_on_average(sd: float) -> None:
    step = MultiplicativeNoise(columns="x", sd=sd, distribution="normal")
    outcome = step.apply(Table({"x": np.ones(100_000)}), np.random.default_rng(0))
    mean = outcome.table.frame["x"].mean()
    assert mean == pytest.approx(outcome.facts["expected_factor"], abs=5 * sd / np.sqrt(100_000))


@pytest.mark.parametrize("distribution", ["normal", "lognormal"])
def test_factors_have_mean_one_and_the_standard_deviation_asked_for(distribution: str) -> None:
    found = factors(sd=0.2, distribution=distribution)
    assert found.mean() == pytest.approx(1, abs=4 * 0.2 / np.sqrt(50_000))
    assert found.std() == pytest.approx(0.2, rel=0.03)


def test_lognormal_factors_have_mean_one_however_large_they_spread() -> None:
    found = factors(200_000, sd=1.5, distribution="lognormal")
    assert found.mean() == pytest.approx(1, abs=5 * 1.5 / np.sqrt(200_000))
    assert np.log(found).std() == pytest.approx(np.sqrt(np.log(1 + 1.5**2)), rel=0.01)


@pytest.mark.parametrize("distribution", ["normal", "lognormal"])
def test_no_factor_is_negative(distribution: str) -> None:
    assert (factors(sd=2, distribution=distribution) > 0).all()


def test_redrawn_factors_follow_the_normal_distribution_above_zero() -> None:
    found = factors(sd=1, distribution="normal")
    # Mean and variance of N(1, 1) cut off at 0.
    assert found.mean() == pytest.approx(1.2876, abs=0.015)
    assert found.std() == pytest.approx(0.7935, abs=0.015)


cells = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False) | st.none(), max_size=30)


@given(cells, st.integers(0, 2**32))
def test_signs_zeros_and_gaps_stay(values: list[float | None], seed: int) -> None:
    before = pl.DataFrame({"x": values}, schema={"x": pl.Float64})
    after = MultiplicativeNoise(columns="x", sd=0.5).protect(before, seed=seed)
    assert after["x"].sign().equals(before["x"].sign())
    assert after["x"].is_null().equals(before["x"].is_null())


def test_columns_have_factors_of_their_own() -> None:
    frame = pl.DataFrame({"x": [1.0] * 9, "y": [1.0] * 9})
    after = MultiplicativeNoise(columns=["x", "y"], sd=0.5).protect(frame, seed=1)
    assert not after["x"].equals(after["y"], check_names=False)


def test_integers_become_floats_unless_kept() -> None:
    frame = pl.DataFrame({"x": [100] * 20_000})
    assert MultiplicativeNoise(columns="x", sd=0.1).protect(frame)["x"].dtype == pl.Float64
    kept = MultiplicativeNoise(columns="x", sd=0.1, keep_integers=True).protect(frame, seed=1)["x"]
    assert kept.dtype == pl.Int64
    assert kept.mean() == pytest.approx(100, abs=4 * 10 / np.sqrt(20_000))


def test_durations_stay_durations_and_dates_are_refused() -> None:
    frame = pl.DataFrame({"x": [timedelta(hours=h) for h in range(1, 5)]})
    after = MultiplicativeNoise(columns="x", sd=0.1).protect(frame, seed=1)
    assert after.schema == frame.schema
    assert not after.equals(frame)
    with pytest.raises(ColumnError, match="use additive_noise for dates"):
        MultiplicativeNoise(columns="x", sd=0.1).protect({"x": [date(2024, 1, 1)]})


def test_infinite_and_too_large_values_are_refused() -> None:
    step = MultiplicativeNoise(columns="x", sd=1)
    with pytest.raises(ColumnError, match="1 values of column 'x' are infinite"):
        step.protect({"x": [1.0, float("inf")]})
    with pytest.raises(ColumnError, match="too large"):
        step.protect({"x": [1.7e308] * 5}, seed=1)


def test_facts_count_changes_gaps_and_zeros() -> None:
    table = Table({"x": [0, 7, None]})
    facts = MultiplicativeNoise(columns="x", sd=0.1).apply(table, np.random.default_rng(0)).facts
    assert facts == {
        "n_changed": {"x": 1},
        "n_missing": {"x": 1},
        "n_zero": {"x": 1},
        "now_float": ["x"],
        "expected_factor": 1.0,
    }


def test_a_spread_cannot_be_negative() -> None:
    with pytest.raises(SpecError, match="greater than or equal to 0"):
        MultiplicativeNoise.parse({"columns": ["x"], "sd": -0.1})


def test_values_may_be_wrong_afterwards() -> None:
    assert MultiplicativeNoise(columns="x", sd=0.1).perturbative
