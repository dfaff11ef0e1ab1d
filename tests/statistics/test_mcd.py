from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

from microveil.methods.additive_noise.outliers import outlying
from microveil.risk.interval_disclosure import robust_widths
from microveil.statistics.mcd import TAIL, robust_distances, robust_moments, tightest_half
from microveil.utility.eigenvalues import Eigenvalues

Floats = NDArray[np.float64]
DATA = Path(__file__).parents[1] / "data"


def standardized(points: Floats) -> Floats:
    scaled: Floats = (points - points.mean(axis=0)) / points.std(axis=0, ddof=1)
    return scaled


def tarragona() -> Floats:
    return standardized(pl.read_csv(DATA / "casc" / "Tarragona.csv").cast(pl.Float64).to_numpy())


def contaminated(n: int = 400) -> Floats:
    rng = np.random.default_rng(7)
    points = rng.normal(size=(n, 3)) @ np.array([[1.0, 0, 0], [0.6, 1.2, 0], [0.1, 0.4, 1.7]])
    points[: n // 5] += [9.0, -8.0, 12.0]
    return np.asarray(points)


def test_all_users_of_the_robust_covariance_see_the_same_one() -> None:
    points = standardized(contaminated())
    found = robust_moments(points)
    assert found is not None
    widths = robust_widths(points, ("x", "y", "z"))
    inverse = np.linalg.inv(found.covariance)
    assert (widths / 0.05) ** 2 == pytest.approx(np.einsum("ij,jk,ik->i", points, inverse, points))

    frame = pl.DataFrame(points, schema=["x", "y", "z"])
    eigen = Eigenvalues(robust=True).measure(frame, frame).parts["before"]
    assert eigen == pytest.approx(np.linalg.eigvalsh(found.covariance)[::-1])

    above = (points > np.quantile(points, 0.99, axis=0)).any(axis=1)
    far = found.distances(points) > chi2.ppf(TAIL, 3)
    assert outlying(points).tolist() == (above | far).tolist()


@pytest.mark.parametrize(("n", "p"), [(9, 1), (10, 2), (11, 3), (13, 3)])
def test_the_half_is_the_tightest_of_all_halves(n: int, p: int) -> None:
    for seed in range(5):
        points = np.random.default_rng(seed).standard_normal((n, p)) ** 3
        half = (n + p + 1) // 2
        least = min(
            np.linalg.slogdet(np.atleast_2d(np.cov(points[list(rows)].T)))[1]
            for rows in combinations(range(n), half)
        )
        ours = tightest_half(points)
        assert len(ours) == half
        assert np.linalg.slogdet(np.atleast_2d(np.cov(ours.T)))[1] == pytest.approx(least)


def test_our_half_is_at_least_as_tight_as_the_one_r_found() -> None:
    points = tarragona()
    core = json.loads((DATA / "risk" / "tarragona_mcd_core.json").read_text())
    ours = tightest_half(points[np.lexsort(points.T[::-1])])
    assert len(ours) == len(core) == (834 + 13 + 1) // 2
    volumes = [np.linalg.slogdet(np.cov(half.T))[1] for half in (ours, points[core])]
    assert volumes[0] <= volumes[1]


@pytest.mark.parametrize("n", [200, 7000])
def test_neither_the_order_of_records_nor_units_matter(n: int) -> None:
    points = contaminated(n)
    one = robust_moments(points)
    mixed = np.random.default_rng(1).permutation(points) * [1e6, 1.0, 1e-6] + [0, 5, 0]
    other = robust_moments(mixed)
    assert one is not None
    assert other is not None
    units = np.array([1e6, 1.0, 1e-6])
    assert other.covariance == pytest.approx(one.covariance * np.outer(units, units), rel=1e-6)
    assert other.centre == pytest.approx(one.centre * units + [0, 5, 0], rel=1e-6)


def test_outliers_do_not_move_it() -> None:
    rng = np.random.default_rng(3)
    points = rng.normal(size=(500, 2)) @ np.array([[1.0, 0.0], [0.8, 0.6]])
    clean = robust_moments(points)
    points[:100] += 1000
    dirty = robust_moments(points)
    assert clean is not None
    assert dirty is not None
    truth = np.array([[1.64, 0.48], [0.48, 0.36]])
    assert clean.covariance == pytest.approx(truth, abs=0.2)
    assert dirty.centre == pytest.approx([0, 0], abs=0.2)
    # The missing fifth is taken for tails cut off, hence the factor; a plain covariance is 10⁵.
    assert (dirty.covariance / truth).max() < 2


def test_it_is_right_for_normal_records_few_and_many() -> None:
    for n in (100, 300, 5000):
        found = [
            robust_moments(np.random.default_rng(seed).standard_normal((n, 2)))
            for seed in range(15 if n < 5000 else 2)
        ]
        variances = [np.diag(one.covariance) for one in found if one is not None]
        assert np.mean(variances) == pytest.approx(1.0, abs=0.1)


def test_half_of_the_records_in_a_plane_have_no_robust_covariance() -> None:
    rng = np.random.default_rng(0)
    points = rng.standard_normal((300, 3))
    points[:180, 1] = 0.0
    assert robust_moments(points) is None
    assert robust_moments(np.column_stack([points, points[:, 0] + points[:, 2]])) is None
    assert robust_moments(np.ones((50, 2))) is None
    assert robust_moments(points[:7]) is None


def test_records_off_the_plane_are_infinitely_far_and_those_in_it_are_not() -> None:
    rng = np.random.default_rng(0)
    points = rng.standard_normal((300, 3))
    points[:200, 1] = 3.0
    points[5, 0] = 40.0
    distances = robust_distances(points)
    assert np.isinf(distances[200:]).all()
    assert np.isfinite(distances[:200]).all()
    inside = robust_moments(points[:200][:, [0, 2]])
    assert inside is not None
    assert distances[:200] == pytest.approx(inside.distances(points[:200][:, [0, 2]]), rel=1e-6)
    assert not robust_distances(np.full((50, 2), 7.0)).any()
