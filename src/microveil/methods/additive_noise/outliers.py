"""Records that stand out: beyond a high quantile, or far from the robust centre."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microveil.statistics.covariances import NOTHING

Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]

QUANTILE = 0.99
"""Values above this quantile of their column stand out."""
TAIL = 0.975
"""Records whose squared robust distance exceeds this quantile of χ² stand out."""
STARTS, FIRST_STEPS, LAST_STEPS = 30, 2, 30
LARGEST = 3000
"""Records the centre is sought among; more are drawn at random."""


def outlying(points: Reals, rng: np.random.Generator) -> Flags:
    """Which records stand out, in one column or together; NaN is missing and never does.

    A record with a missing cell is looked at column by column only.
    """
    if not len(points):
        return np.zeros(0, dtype=np.bool_)
    flags = np.zeros(len(points), dtype=np.bool_)
    for column in points.T:
        values = column[~np.isnan(column)]
        if len(values):
            flags |= column > np.quantile(values, QUANTILE)
    complete = ~np.isnan(points).any(axis=1)
    if complete.sum() > 2 * points.shape[1] + 1:
        flags[complete] |= _far(points if complete.all() else points[complete], rng)
    return flags


def _far(points: Reals, rng: np.random.Generator) -> Flags:
    """Whether the distance by the minimum covariance determinant is too large (Rousseeuw 1984)."""
    from scipy.stats import chi2

    n = len(points)
    drawn = points if n <= LARGEST else points[rng.choice(n, LARGEST, replace=False)]
    spread = drawn.std(axis=0)
    varying, p = spread > 0, int((spread > 0).sum())
    if p == 0:
        return np.zeros(n, dtype=np.bool_)
    drawn = drawn[:, varying] / spread[varying]
    distances = _distances(drawn, _tightest_half(drawn, rng))
    # Scaled so that the median is what it should be; then all but the outliers are used.
    distances *= chi2.ppf(0.5, p) / max(float(np.median(distances)), np.finfo(float).tiny)
    core = drawn[distances <= chi2.ppf(TAIL, p)]
    far = [
        _distances(points[start : start + LARGEST, varying] / spread[varying], core)
        > chi2.ppf(TAIL, p)
        for start in range(0, n, LARGEST)
    ]
    return np.concatenate(far)


def _tightest_half(points: Reals, rng: np.random.Generator) -> Reals:
    """About half of the points, with the smallest determinant found (FAST-MCD, 1999)."""
    n, p = points.shape
    half = (n + p + 1) // 2
    starts = [points[rng.choice(n, p + 1, replace=False)] for _ in range(STARTS)]
    cores = [_concentrated(points, start, half, FIRST_STEPS) for start in starts]
    cores.sort(key=_log_volume)
    best = [_concentrated(points, core, half, LAST_STEPS) for core in cores[:3]]
    return min(best, key=_log_volume)


def _concentrated(points: Reals, core: Reals, half: int, steps: int) -> Reals:
    """The core exchanged for the half of the points nearest to it, again and again."""
    volume = np.inf
    for _ in range(steps):
        nearest = np.argpartition(_distances(points, core), half - 1)[:half]
        core = points[nearest]
        now = _log_volume(core)
        if not now < volume:
            break
        volume = now
    return core


def _distances(points: Reals, core: Reals) -> Reals:
    """Squared Mahalanobis distances from the core; off a hyperplane that it lies in, very far."""
    eigenvalues, vectors = _axes(core)
    floor = NOTHING * max(float(eigenvalues.max()), 1.0)
    turned = (points - core.mean(axis=0)) @ vectors
    return np.asarray((turned**2 / np.maximum(eigenvalues, floor)).sum(axis=1))


def _log_volume(core: Reals) -> float:
    eigenvalues, _ = _axes(core)
    return float(np.log(np.maximum(eigenvalues, NOTHING)).sum())


def _axes(core: Reals) -> tuple[Reals, Reals]:
    centred = core - core.mean(axis=0)
    eigenvalues, vectors = np.linalg.eigh(centred.T @ centred / max(len(core) - 1, 1))
    return eigenvalues, vectors
