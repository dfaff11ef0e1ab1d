from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.errors import ColumnError, SpecError
from microveil.methods.additive_noise.step import AdditiveNoise
from microveil.tables import Roles, Table

Reals = NDArray[np.float64]
seeds = st.integers(0, 2**32)


def related(n: int, seed: int = 0) -> pl.DataFrame:
    """Three columns, the last the sum of the others."""
    rng = np.random.default_rng(seed)
    x, other = rng.normal(size=(2, n))
    y = 100 * (0.8 * x + 0.6 * other) + 1000
    return pl.DataFrame({"x": x, "y": y, "sum": x + y})


def noisy(frame: Any, seed: int = 1, **parameters: object) -> pl.DataFrame:
    step = AdditiveNoise.parse({"columns": list(pl.DataFrame(frame).columns), **parameters})
    # One stream for whatever parameters: `protect` would derive another for each of them.
    return step.apply(Table(pl.DataFrame(frame)), np.random.default_rng(seed)).table.frame


def noise_of(before: pl.DataFrame, after: pl.DataFrame) -> Reals:
    return np.asarray(after.to_numpy() - before.to_numpy())


@pytest.mark.parametrize("distribution", ["normal", "laplace", "uniform"])
@pytest.mark.parametrize("share", [{"sd_share": 0.2}, {"variance_share": 0.04}])
def test_noise_has_mean_zero_and_its_share_of_the_spread(
    distribution: str, share: dict[str, Any]
) -> None:
    before = related(50_000)
    noise = noise_of(before, noisy(before, distribution=distribution, **share))
    sds = before.to_numpy().std(axis=0, ddof=1)
    assert np.abs(noise.mean(axis=0) / sds).max() < 4 * 0.2 / np.sqrt(50_000)
    assert noise.std(axis=0) / sds == pytest.approx(0.2, rel=0.03)
    assert np.abs(np.corrcoef(noise.T) - np.eye(3)).max() < 4 / np.sqrt(50_000)


def test_the_distributions_have_their_shapes() -> None:
    before = pl.DataFrame({"x": np.random.default_rng(0).normal(size=50_000)})
    kurtosis = {}
    for name in ("normal", "laplace", "uniform"):
        noise = noise_of(before, noisy(before, sd_share=1, distribution=name))[:, 0]
        kurtosis[name] = float((noise**4).mean() / (noise**2).mean() ** 2)
    assert kurtosis == pytest.approx({"normal": 3, "laplace": 6, "uniform": 1.8}, rel=0.1)


@pytest.mark.parametrize("distribution", ["normal", "laplace", "uniform"])
def test_correlated_noise_has_the_covariance_of_the_columns(distribution: str) -> None:
    before = related(50_000)
    after = noisy(before, variance_share=0.3, correlated=True, distribution=distribution)
    noise = np.cov(noise_of(before, after).T)
    covariance = np.cov(before.to_numpy().T)
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    assert np.abs((noise - 0.3 * covariance) / scale).max() < 0.02
    correlations = [np.corrcoef(frame.to_numpy().T) for frame in (before, after)]
    assert np.abs(correlations[0] - correlations[1]).max() < 0.02


def test_correlated_noise_keeps_sums_of_columns() -> None:
    after = noisy(related(500), sd_share=0.5, correlated=True)
    assert np.allclose(after["x"] + after["y"], after["sum"], rtol=0, atol=1e-6)


def test_scaling_by_sd_and_by_variance_agree() -> None:
    before = related(100)
    for correlated in (False, True):
        by_sd = noisy(before, sd_share=0.5, correlated=correlated)
        by_variance = noisy(before, variance_share=0.25, correlated=correlated)
        assert by_sd.equals(by_variance)


@pytest.mark.parametrize("variant", ["kim", "romm"])
@pytest.mark.parametrize("correlated", [False, True])
@given(seed=seeds)
def test_mean_and_covariance_are_kept_exactly(
    variant: str,
    correlated: bool,  # noqa: FBT001  pytest passes it by name
    seed: int,
) -> None:
    before = related(40, seed).with_columns(constant=pl.lit(5.0))
    after = noisy(before, seed, sd_share=0.3, variant=variant, correlated=correlated)
    old, new = before.to_numpy(), after.to_numpy()
    scale = np.maximum(old.std(axis=0), 1)
    assert np.allclose(new.mean(axis=0) / scale, old.mean(axis=0) / scale, rtol=1e-12)
    found = np.cov((new / scale).T) - np.cov((old / scale).T)
    assert np.abs(found).max() < 1e-9
    assert not np.allclose(new[:, 0], old[:, 0], rtol=0, atol=0.01)


@pytest.mark.parametrize("share", [0.05, 0.5, 1.2])
def test_romm_moves_values_as_far_as_the_noise_would(share: float) -> None:
    before = related(20_000)
    change = noise_of(before, noisy(before, sd_share=share, variant="romm"))
    sds = before.to_numpy().std(axis=0, ddof=1)
    assert np.sqrt((change**2).mean(axis=0)) / sds == pytest.approx(share, rel=0.03)


def test_romm_changes_every_record() -> None:
    before = related(1000)
    change = noise_of(before, noisy(before, sd_share=0.1, variant="romm"))
    assert (np.abs(change).min(axis=1) > 0).all()


def test_only_records_that_stand_out_get_noise() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(1000, 2))
    points[:, 1] = 0.95 * points[:, 0] + 0.3 * points[:, 1]
    points[0] = [2.0, -2.0]  # ordinary in each column, odd in both together
    points[1] = [-9.0, -9.0]
    before = pl.DataFrame(points, schema=["x", "y"])
    step = AdditiveNoise(columns=["x", "y"], sd_share=0.5, variant="outliers")
    outcome = step.apply(Table(before), rng)
    changed = (outcome.table.frame.to_numpy() != points).all(axis=1)
    assert changed[:2].all()
    assert changed[points[:, 0] > np.quantile(points[:, 0], 0.99)].all()
    assert 20 < changed.sum() < 70
    assert outcome.facts["n_outliers"] == changed.sum()


def test_missing_cells_stay_missing_and_do_not_count() -> None:
    rng = np.random.default_rng(0)
    before = related(30_000).drop("sum")
    holes = rng.random((30_000, 2)) < 0.3
    gaps = before.with_columns(
        pl.when(pl.Series(~holes[:, i])).then(name).alias(name) for i, name in enumerate("xy")
    )
    after = noisy(gaps, sd_share=0.5, correlated=True)
    assert after.select(pl.all().is_null()).equals(gaps.select(pl.all().is_null()))
    noise = noise_of(before, after)[~holes.any(axis=1)]
    assert np.corrcoef(noise[:, 0], noise[:, 1])[0, 1] == pytest.approx(0.8, abs=0.02)
    assert noise.std(axis=0) == pytest.approx(0.5 * before.to_numpy().std(axis=0), rel=0.03)


def test_gaps_in_some_columns_only_defeat_exact_moments() -> None:
    frame = pl.DataFrame({"x": [1.0, None, 3.0, 4.0], "y": [1.0, 2.0, 3.0, 5.0]})
    with pytest.raises(ColumnError, match="1 records have some of the columns missing"):
        noisy(frame, sd_share=0.1, variant="kim")
    both = frame.with_columns(pl.when(pl.col("x").is_not_null()).then("y").alias("y"))
    after = noisy(both, sd_share=0.1, variant="kim")
    assert after["y"].mean() == pytest.approx(both["y"].mean())
    assert after["y"].null_count() == 1


def test_integers_become_floats_unless_kept() -> None:
    frame = pl.DataFrame({"x": [10, 20, 30, 25]})
    assert noisy(frame, sd_share=0.1)["x"].dtype == pl.Float64
    kept = noisy(frame, sd_share=0.1, keep_integers=True)["x"]
    assert kept.dtype == pl.Int64
    outcome = AdditiveNoise(columns="x", sd_share=0.1).apply(Table(frame), np.random.default_rng(0))
    assert outcome.facts["now_float"] == ["x"]


def test_random_rounding_keeps_the_mean_of_the_noise() -> None:
    before = pl.DataFrame({"x": [0, 1] * 50_000})
    noise = noise_of(before, noisy(before, sd_share=0.5, keep_integers=True))
    # The noise has a standard deviation of 0.25, rounding adds half a unit at most.
    assert abs(noise.mean()) < 4 * 0.56 / np.sqrt(100_000)


def test_integers_that_outgrow_their_type_get_a_wider_one() -> None:
    frame = pl.DataFrame({"x": pl.Series([0, 255, 0, 255], dtype=pl.UInt8)})
    kept = noisy(frame, sd_share=2, keep_integers=True)["x"]
    assert kept.dtype == pl.Int64
    bounded = noisy(frame, sd_share=2, keep_integers=True, lower=0, upper=255)["x"]
    assert bounded.dtype == pl.UInt8


@given(st.lists(st.floats(0, 10), min_size=2, max_size=30), seeds, st.floats(0.1, 5))
def test_bounds_hold_by_reflection(cells: list[float], seed: int, share: float) -> None:
    before = pl.DataFrame({"x": cells})
    free = noisy(before, seed, sd_share=share)["x"].to_numpy()
    after = noisy(before, seed, sd_share=share, lower=0, upper=10)["x"].to_numpy()
    assert (after >= 0).all()
    assert (after <= 10).all()
    inside = (free >= 0) & (free <= 10)
    assert (after[inside] == free[inside]).all()


def test_facts_count_what_was_mirrored_back() -> None:
    table = Table({"x": [0.0, 0.0, 0.0, 100.0, None]})
    step = AdditiveNoise(columns="x", sd_share=0.1, lower=0)
    outcome = step.apply(table, np.random.default_rng(0))
    after = outcome.table.frame["x"]
    assert (after.drop_nulls() >= 0).all()
    free = AdditiveNoise(columns="x", sd_share=0.1).apply(table, np.random.default_rng(0))
    shift = outcome.facts["reflection_shift"]["x"]
    assert outcome.facts == {
        "n_changed": {"x": 4},
        "n_missing": {"x": 1},
        "n_reflected": {"x": int((free.table.frame["x"] < 0).sum())},
        "reflection_shift": {"x": shift},
        "now_float": [],
    }
    assert free.facts["reflection_shift"] == {"x": 0.0}
    moved = (after - free.table.frame["x"]).drop_nulls().to_numpy().mean()
    assert shift == pytest.approx(moved / np.std([0.0, 0.0, 0.0, 100.0], ddof=1))
    assert shift > 0


def test_values_outside_the_bounds_are_not_moved_in_silence() -> None:
    with pytest.raises(ColumnError, match="2 values of column 'x' lie outside the bounds"):
        noisy({"x": [-1, 5, 20]}, sd_share=0.1, lower=0, upper=10)


def test_zeros_stay_zero_if_asked() -> None:
    before = pl.DataFrame({"x": [0.0, 5.0, 0.0, 9.0]})
    after = noisy(before, sd_share=0.5, keep_zeros=True)["x"].to_list()
    assert after[0] == after[2] == 0
    assert after[1] != 5


def test_dates_and_durations_stay_what_they_are(any_ordered: pl.Series) -> None:
    two = any_ordered.drop_nulls()
    if two.dtype == pl.Time or len(two) < 2:
        with pytest.raises(ColumnError):
            noisy(any_ordered.to_frame(), sd_share=0.5)
        return
    after = noisy(any_ordered.to_frame(), sd_share=0.5)["x"]
    assert after.dtype == (pl.Float64 if two.dtype.is_integer() else two.dtype)
    assert after.null_count() == any_ordered.null_count()


def test_dates_move_by_whole_days_within_bounds() -> None:
    frame = pl.DataFrame({"x": [date(2024, 1, 1), date(2024, 12, 31)] * 50})
    after = noisy(frame, sd_share=0.5, lower="2024-01-01", upper="2024-12-31")["x"]
    assert after.min() >= date(2024, 1, 1)  # type: ignore[operator]
    assert after.max() <= date(2024, 12, 31)  # type: ignore[operator]
    assert after.n_unique() > 20


def test_decimals_keep_their_scale() -> None:
    frame = pl.DataFrame({"x": [Decimal("1.50"), Decimal("99.25"), Decimal("20.00")]})
    after = noisy(frame, sd_share=0.1)
    assert after.schema == frame.schema
    assert not after.equals(frame)
    assert after["x"].cast(pl.Float64).mean() == pytest.approx(40.25, abs=20)


def test_strata_have_their_own_spread() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"g": [0, 1] * 10_000, "x": rng.normal(size=20_000)})
    table = Table(frame.with_columns(x=pl.col("x") * pl.col("g") * 99), Roles(strata=["g"]))
    after = AdditiveNoise(columns="x", sd_share=0.1).apply(table, rng).table.frame
    noise = (after["x"] - table.frame["x"]).to_numpy()
    assert (noise[0::2] == 0).all()
    assert noise[1::2].std() == pytest.approx(9.9, rel=0.05)


def test_moments_are_kept_within_each_stratum() -> None:
    table = Table(related(300).with_columns(g=pl.int_range(300) % 3), Roles(strata=["g"]))
    step = AdditiveNoise(columns=["x", "y"], sd_share=0.5, variant="kim")
    after = step.apply(table, np.random.default_rng(1)).table.frame
    moments = [pl.col("x", "y").mean().name.suffix("_mean"), pl.cov("x", "y").alias("cov")]
    old, new = (
        frame.group_by("g").agg(moments).sort("g").to_numpy() for frame in (table.frame, after)
    )
    assert np.allclose(old, new, rtol=1e-9)


def test_one_value_has_no_spread() -> None:
    for frame in ({"x": [1.0]}, {"x": [1.0, None]}):
        with pytest.raises(ColumnError, match="'x' has fewer than 2 values"):
            noisy(frame, sd_share=0.1)
    with pytest.raises(ColumnError, match="'x' has fewer than 3 values"):
        noisy({"x": [1.0, 2.0]}, sd_share=0.1, variant="romm")


def test_columns_without_spread_or_values_stay() -> None:
    frame = pl.DataFrame({"x": [5.0] * 4, "y": pl.Series([None] * 4, dtype=pl.Float64)})
    for parameters in ({}, {"correlated": True}, {"variant": "outliers"}):
        assert noisy(frame, sd_share=0.5, **parameters).equals(frame)
    empty = pl.DataFrame({"x": pl.Series([], dtype=pl.Float64)})
    assert noisy(empty, sd_share=0.5).equals(empty)


@pytest.mark.parametrize("variant", ["plain", "kim", "romm", "outliers"])
def test_values_too_large_for_floats_are_refused(variant: str) -> None:
    with pytest.raises(ColumnError, match="2 values of column 'x' are too large"):
        noisy({"x": [1e308, -1e308, 1.0]}, sd_share=0.5, variant=variant)


def test_noise_too_large_for_floats_is_refused() -> None:
    with pytest.raises(ColumnError, match="too large"):
        noisy({"x": [1e140, -1e140, 1.0]}, sd_share=1e300)


def test_categories_and_times_cannot_have_noise() -> None:
    with pytest.raises(ColumnError, match=r"needs numbers.*'x' \(String\)"):
        noisy({"x": ["a", "b"]}, sd_share=0.1)
    with pytest.raises(ColumnError, match=r"\(Time\)"):
        noisy({"x": [datetime(2024, 1, 1, 5).time()]}, sd_share=0.1)  # noqa: DTZ001  naive on purpose


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({}, "either sd_share or variance_share"),
        ({"sd_share": 0.1, "variance_share": 0.1}, "either sd_share or variance_share"),
        ({"sd_share": 0.1, "lower": 2, "upper": 1}, "lower bound lies above"),
        ({"sd_share": 0.1, "variant": "kim", "lower": 0}, "cannot be exact"),
        ({"sd_share": 0.1, "variant": "romm", "keep_integers": True}, "cannot be exact"),
        ({"sd_share": 1.5, "variant": "romm"}, "variance_share of 2 at most"),
        ({"sd_share": -0.1}, "greater than or equal to 0"),
    ],
)
def test_contradictions_are_named(parameters: dict[str, object], problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        AdditiveNoise.parse({"columns": ["x"], **parameters})


def test_values_may_be_wrong_afterwards() -> None:
    assert AdditiveNoise(columns="x", sd_share=0.1).perturbative
