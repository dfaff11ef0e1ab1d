"""Robust location and covariance: the minimum covariance determinant (MCD), reweighted.

FAST-MCD (Rousseeuw & Van Driessen 1999) looks for the half of the records whose covariance has the
smallest determinant, by concentration steps from many starts. Records far from that half get no
weight, and the covariance of the others is the estimate. The search visits the records in an order
that depends on their values alone and uses a fixed sequence of starts, so the same records give the
same result in any order. Consistency factors are those of the truncated normal distribution,
small-sample corrections those of Pison, Van Aelst & Willems (2002).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Longs

TAIL = 0.975
"""Records whose squared distance exceeds this quantile of χ² have no weight."""
STARTS, FIRST_STEPS, KEPT, LAST_STEPS = 500, 3, 40, 200
LARGEST = 3000
"""Records among which halves are searched for first."""
SINGULAR = 1e-13
"""Share of the largest variance below which a direction has no spread."""

# Pison, Van Aelst & Willems (2002), for half of the records: rows are (a, b, q).
_RAW = np.array(
    [[-1.42764571687802, 1.26263336932151, 2], [-1.06141115981725, 1.28907991440387, 3]]
)
_REWEIGHTED = np.array(
    [[-1.02842572724793, 1.67659883081926, 2], [-0.26800273450853, 1.35968562893582, 3]]
)
# For one and two columns the correction is 1 − e^c / n^d.
_RAW_FEW = {1: (0.262024211897096, 0.604756680630497), 2: (0.673292623522027, 0.691365864961895)}
_REWEIGHTED_FEW = {
    1: (1.11098143415027, 1.5182890270453),
    2: (3.11101712909049, 1.91401056721863),
}


class Moments(NamedTuple):
    """A robust mean and covariance."""

    centre: Floats
    factor: Floats
    """Lower triangular matrix whose product with its transpose is the covariance."""

    @property
    def covariance(self) -> Floats:
        """The covariance itself."""
        return np.asarray(self.factor @ self.factor.T)

    def distances(self, points: Floats, centre: Floats | None = None) -> Floats:
        """Squared Mahalanobis distances from the robust centre, or from another."""
        from scipy.linalg import solve_triangular

        centred = points - (self.centre if centre is None else centre)
        turned = solve_triangular(self.factor, centred.T, lower=True, check_finite=False)
        return np.asarray(np.einsum("ij,ij->j", turned, turned))


def robust_moments(points: Floats) -> Moments | None:
    """The reweighted MCD of complete records; None if half of them lie in a hyperplane.

    Half of the records also lie in a hyperplane if there are few of them (2 p + 1 or fewer for p
    columns), if a column is constant for half, or if columns are collinear. Time grows with the
    records, memory with a copy of them.
    """
    n, p = points.shape
    if n <= 2 * p + 1:
        return None
    scale = _scales(points)
    ordered = points[np.lexsort(points.T[::-1])] / scale
    core = tightest_half(ordered)
    found = None if _plane(core) is not None else reweighted_moments(ordered, core)
    return None if found is None else Moments(found.centre * scale, found.factor * scale[:, None])


def robust_distances(points: Floats) -> Floats:
    """Squared robust distances of complete records.

    If half of the records lie in a hyperplane, the others are infinitely far away, and distances
    are computed among the records in it. Without any spread all distances are 0.
    """
    n, p = points.shape
    if not p or n <= 2 * p + 1:
        return np.zeros(n)
    scale = _scales(points)
    points = points / scale
    core = tightest_half(points[np.lexsort(points.T[::-1])])
    plane = _plane(core)
    if plane is not None:
        return _in_plane(points, core, plane)
    found = reweighted_moments(points, core)
    return np.zeros(n) if found is None else found.distances(points)


def reweighted_moments(points: Floats, core: Floats) -> Moments | None:
    """Mean and covariance of all records that are not outliers relative to the core."""
    from scipy.stats import chi2

    n, p = points.shape
    scale = _consistency(p, len(core) / n) * _small_sample(p, n, _RAW, _RAW_FEW)
    seen = _moments(core, scale)
    if seen is None:
        return None
    kept = points[seen.distances(points) < chi2.ppf(TAIL, p)]
    if len(kept) <= p:
        return None
    scale = _consistency(p, len(kept) / n) * _small_sample(p, n, _REWEIGHTED, _REWEIGHTED_FEW)
    return _moments(kept, scale)


def tightest_half(points: Floats) -> Floats:
    """About half of the records, with the smallest covariance determinant found.

    For many records, half of a sample is found first, and then refined among all.
    """
    n = len(points)
    among = np.arange(0, n, -(-n // LARGEST))
    sample = points[among]
    halves = _concentrate_cores(sample, _beginnings(sample), FIRST_STEPS)[:KEPT]
    halves = _concentrate_cores(sample, [core for _, core in halves], LAST_STEPS)
    best = among[halves[0][1]]
    return points[best if len(among) == n else _concentrate_cores(points, [best], LAST_STEPS)[0][1]]


def _beginnings(points: Floats) -> list[Longs]:
    """Random sets of p + 1 records; larger if these are degenerate in some direction."""
    from microveil.kernels.statistics.concentrate import has_extent

    rng = np.random.default_rng(0)  # a public constant, so that results repeat
    n, p = points.shape
    found = []
    for _ in range(STARTS):
        size = p + 1
        start = rng.choice(n, size, replace=False)
        while size < n and not has_extent(points, start, SINGULAR):
            size = min(2 * size, n)
            start = rng.choice(n, size, replace=False)
        if size == n and not has_extent(points, start, SINGULAR):
            return [np.arange(n)]  # all records lie in a hyperplane, and so does every half
        found.append(start)
    return found


def _concentrate_cores(points: Floats, cores: list[Longs], steps: int) -> list[tuple[float, Longs]]:
    """Cores after some concentration steps with the log of their volume, smallest first."""
    from microveil.kernels.statistics.concentrate import concentrate

    found = [concentrate(points, core, steps, SINGULAR) for core in cores]
    return sorted(found, key=lambda one: one[0])


def _scales(points: Floats) -> Floats:
    """A unit for each column, so that none seems flat beside another: its interquartile range."""
    low, high = np.quantile(points, [0.25, 0.75], axis=0)
    width = high - low
    width = np.where(width > 0, width, points.std(axis=0))
    return np.asarray(np.where(width > 0, width, 1.0))


def _plane(core: Floats) -> Floats | None:
    """Directions (p, few) in which the core has no spread; None if it has spread in all."""
    centred = core - core.mean(axis=0)
    spread, axes = np.linalg.eigh(centred.T @ centred / max(len(core) - 1, 1))
    flat = spread <= SINGULAR * spread[-1]
    return np.asarray(axes[:, flat]) if flat.any() else None


def _in_plane(points: Floats, core: Floats, off: Floats) -> Floats:
    """Distances among the records in the core's hyperplane; infinite for all others."""
    centred = points - core.mean(axis=0)
    # Deviation from a hyperplane due to rounding alone, from the core's spread and its offset.
    reach = 1e-6 * float(core.std(axis=0).max()) + 1e-12 * float(np.abs(core).max())
    near = np.abs(centred @ off).max(axis=1) <= reach
    found = np.full(len(points), np.inf)
    along = np.linalg.svd(off, full_matrices=True)[0][:, off.shape[1] :]
    found[near] = robust_distances(centred[near] @ along)
    return found


def _moments(points: Floats, scale: float) -> Moments | None:
    """Mean and scaled covariance; None if the points are degenerate in some direction."""
    centre = points.mean(axis=0)
    centred = points - centre
    try:
        factor = np.linalg.cholesky(centred.T @ centred * (scale / (len(points) - 1)))
    except np.linalg.LinAlgError:
        return None
    spread = np.diag(factor) ** 2
    return Moments(centre, factor) if spread.min() > SINGULAR * spread.max() else None


def _consistency(p: int, share: float) -> float:
    """Factor that makes the covariance of the nearest records consistent for normal data."""
    from scipy.stats import chi2

    return float(share / chi2.cdf(chi2.ppf(share, p), p + 2))


def _small_sample(p: int, n: int, curves: Floats, few: dict[int, tuple[float, float]]) -> float:
    """Correction factor for half of a small sample, which looks too tight."""
    if p in few:
        scale, power = few[p]
        return float(1 / (1 - np.exp(scale) / n**power))
    a, b, q = curves.T
    left = np.column_stack([np.ones(2), -np.log(q * p**2)])
    scale, power = np.linalg.solve(left, np.log(-a / p**b))
    return float(1 / (1 - np.exp(scale) / n**power))
