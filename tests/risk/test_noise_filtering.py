from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError
from microveil.risk.noise_filtering import NoiseFiltering
from microveil.risk.record_linkage import RecordLinkage


def factor_data(n: int, m: int, own: float, seed: int = 0) -> pl.DataFrame:
    """Columns that share one factor, each with a part of its own."""
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((n, 1)) + own * rng.standard_normal((n, m))
    return pl.DataFrame(points, schema=[f"x{j}" for j in range(m)])


def protected(frame: pl.DataFrame, share: float, seed: int = 1) -> pl.DataFrame:
    noise = mv.AdditiveNoise(columns=frame.columns, sd_share=share)
    released: pl.DataFrame = noise.protect(frame, seed=seed)
    return released


def parts(frame: pl.DataFrame, released: pl.DataFrame, **parameters: Any) -> dict[str, Any]:
    return dict(NoiseFiltering(**parameters).measure(frame, released).parts)


@pytest.mark.parametrize("method", ["pca", "spectral"])
@pytest.mark.parametrize("m", [2, 5, 10])
def test_of_one_shared_factor_all_noise_but_one_share_is_removed(method: str, m: int) -> None:
    frame = factor_data(4000, m, 0.0)
    found = parts(frame, protected(frame, 0.3), method=method)
    assert found["n_components"] == 1
    assert found["noise_removed"] == pytest.approx(1 - 1 / m, abs=0.02)


@pytest.mark.parametrize("method", ["pca", "spectral", "bayes"])
@pytest.mark.parametrize("sd_share", [None, 0.5])
def test_independent_columns_hide_their_noise(method: str, sd_share: float | None) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.standard_normal((4000, 4)), schema=list("abcd"))
    found = parts(frame, protected(frame, 0.5), method=method, sd_share=sd_share)
    # Shrinking alone takes a share of noise / (signal + noise) off: 0.25 / 1.25.
    expected = 0.2 if method == "bayes" else 0.0
    assert found["noise_removed"] == pytest.approx(expected, abs=0.03)


def test_the_bayes_estimate_has_the_smallest_error() -> None:
    frame = factor_data(3000, 6, 0.4)
    released = protected(frame, 0.6)
    errors = {
        method: parts(frame, released, method=method)["error_after"]
        for method in ("pca", "spectral", "bayes")
    }
    assert errors["bayes"] == min(errors.values())
    # The best linear estimate, worked out from the true covariances.
    signal = np.ones((6, 6)) + 0.16 * np.eye(6)
    noise = 0.36 * 1.16 * np.eye(6)
    left = signal - signal @ np.linalg.solve(signal + noise, signal)
    assert errors["bayes"] == pytest.approx(np.sqrt(np.trace(left) / 6 / 1.16), rel=0.03)


def test_filtering_links_more_records_of_correlated_columns() -> None:
    frame = factor_data(500, 12, 0.3)
    released = protected(frame, 0.5)
    score = NoiseFiltering(method="bayes").measure(frame, released)
    assert score.value > 1.15 * score.parts["linked_before"]
    plain = RecordLinkage(worst_columns=False).measure(frame, released).value
    assert score.parts["linked_before"] == pytest.approx(plain, abs=0.01)


@pytest.mark.parametrize("method", ["pca", "spectral", "bayes"])
def test_without_noise_nothing_is_filtered(method: str) -> None:
    frame = factor_data(100, 3, 0.5)
    score = NoiseFiltering(method=method).measure(frame, frame)
    assert score.value == 1
    assert score.parts["noise_removed"] == 0
    assert score.parts["error_after"] == pytest.approx(0, abs=1e-6)


def test_the_published_share_of_noise_is_enough_to_filter_it() -> None:
    frame = factor_data(4000, 6, 0.3)
    released = protected(frame, 0.5)
    known = parts(frame, released, method="bayes")
    told = parts(frame, released, method="bayes", sd_share=0.5)
    assert told["noise_removed"] == pytest.approx(known["noise_removed"], abs=0.02)


def test_a_permuted_release_is_linked_at_chance() -> None:
    frame = factor_data(400, 3, 0.5)
    order = np.random.default_rng(3).permutation(400)
    assert NoiseFiltering().measure(frame, frame[order]).value < 6 / 400


def test_units_and_row_order_do_not_matter() -> None:
    frame = factor_data(200, 4, 0.5)
    released = protected(frame, 0.4)
    one = NoiseFiltering().measure(frame, released).value
    order = np.random.default_rng(3).permutation(200)
    units = [pl.col("x0") * 1000, pl.col("x1") - 50]
    other = NoiseFiltering().measure(
        frame[order].with_columns(units), released[order].with_columns(units)
    )
    assert other.value == pytest.approx(one)


def test_gaps_constants_and_hardly_any_rows_have_a_meaning() -> None:
    frame = factor_data(50, 2, 0.5).with_columns(c=pl.lit(1.0))
    gaps = frame.with_columns(x0=pl.when(pl.int_range(50) < 5).then(None).otherwise("x0"))
    score = NoiseFiltering().measure(frame, gaps)
    assert score.parts["n_complete"] == 45
    assert list(score.parts["columns"]) == ["x0", "x1"]
    for n in (0, 1, 2):
        few = frame.head(n)
        assert NoiseFiltering().measure(few, few).value == (1 if n else 0)
    with pytest.raises(ColumnError, match="'x'"):
        NoiseFiltering(columns="x").measure({"x": ["a"]}, {"x": ["a"]})
