"""Covariances that outliers do not move: the minimum covariance determinant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microveil.errors import InputError

Floats = NDArray[np.float64]

N_STARTS, N_FIRST_STEPS, N_BEST, N_LAST_STEPS = 500, 2, 10, 100
MOST_AT_FIRST = 1500
"""Records that starts are tried on; the best are then followed on all."""
SINGULAR = 1e-12


def robust_covariance(values: Floats) -> Floats:
    """Covariance by FastMCD, reweighted (Rousseeuw & Van Driessen 1999).

    Half of the records, those of least determinant, say how the rest is weighed: records beyond
    the 97.5 % quantile of their distance count for nothing. Chance decides where the search
    starts; the same data give the same answer. Time grows with the records.
    """
    from scipy.stats import chi2

    n, d = values.shape
    if n <= 2 * d:
        raise InputError(f"A robust covariance of {d} columns needs more than {2 * d} records.")
    half = (n + d + 1) // 2
    centre, covariance = _least_determinant(values, half)
    covariance *= _consistency(half / n, d)
    near = values[_distances(values, centre, covariance) <= chi2.ppf(0.975, d)]
    return np.atleast_2d(np.cov(near, rowvar=False)) * _consistency(0.975, d)


def _consistency(share: float, d: int) -> float:
    """Factor that makes the covariance of the nearest records right for normal data."""
    from scipy.stats import chi2

    return float(share / chi2.cdf(chi2.ppf(share, d), d + 2))


def _least_determinant(values: Floats, half: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(0)
    n, d = values.shape
    some = values
    if n > MOST_AT_FIRST:
        some = values[rng.choice(n, MOST_AT_FIRST, replace=False)]
    some_half = max(half * len(some) // n, d + 1)
    found = []
    for _ in range(N_STARTS):
        start = some[rng.choice(len(some), d + 1, replace=False)]
        centre, covariance = _followed(some, *_moments(start, d), some_half, N_FIRST_STEPS)
        found.append((_log_determinant(covariance), centre, covariance))
    found.sort(key=lambda one: one[0])
    ends = [
        _followed(values, centre, covariance, half, N_LAST_STEPS)
        for _, centre, covariance in found[:N_BEST]
    ]
    best = min(ends, key=lambda one: _log_determinant(one[1]))
    if _log_determinant(best[1]) == -np.inf:
        raise InputError(
            "Columns depend on each other exactly, so a robust covariance does not exist. Name "
            "fewer columns, or use the classical eigenvalues."
        )
    return best


def _moments(values: Floats, d: int) -> tuple[Floats, Floats]:
    return values.mean(axis=0), np.cov(values, rowvar=False).reshape(d, d)


def _followed(
    values: Floats, centre: Floats, covariance: Floats, half: int, n_steps: int
) -> tuple[Floats, Floats]:
    """Take the nearest half, estimate anew, and again, until nothing changes."""
    last = np.inf
    for _ in range(n_steps):
        distances = _distances(values, centre, covariance)
        nearest = values[np.argpartition(distances, half - 1)[:half]]
        centre, covariance = _moments(nearest, values.shape[1])
        now = _log_determinant(covariance)
        if now >= last - 1e-12 or now == -np.inf:
            break
        last = now
    return centre, covariance


def _distances(values: Floats, centre: Floats, covariance: Floats) -> Floats:
    """Squared Mahalanobis distances; the pseudo-inverse where the start is degenerate."""
    inverse = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)
    centred = values - centre
    squared: Floats = np.einsum("ij,jk,ik->i", centred, inverse, centred, optimize=True)
    return squared


def _log_determinant(covariance: Floats) -> float:
    spread = np.linalg.eigvalsh(covariance)
    if spread[0] <= SINGULAR * max(spread[-1], 1e-300):
        return -np.inf
    return float(np.log(spread).sum())
