"""Robust Mahalanobis distances by the minimum covariance determinant (MCD), reweighted.

The tightest half of the records is sought by FAST-MCD's concentration steps (Rousseeuw & Van
Driessen 1999) from many starts, in an order of the records that depends on their values alone and
with a fixed sequence of starts: the same records give the same distances, whatever their order.
Consistency factors are those of the truncated normal distribution, corrections for small samples
those of Pison, Van Aelst & Willems (2002).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microveil.errors import InputError, quoted

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

TAIL = 0.975
"""Records whose squared distance exceeds this quantile of χ² have no weight."""
STARTS, FIRST_STEPS, KEPT, LAST_STEPS = 500, 3, 40, 200
LARGEST = 3000
"""Records that starts are looked for among; all take part in the last steps."""
SINGULAR = 1e-13
"""Share of the largest eigenvalue below which a direction has no spread."""

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


def robust_widths(points: Numbers, columns: tuple[str, ...]) -> Numbers:
    """0.05 × the robust Mahalanobis distance of each standardised record from the mean."""
    if not len(points) or not points.shape[1]:
        return np.zeros(len(points))
    varying = points.std(axis=0) > 0
    if not varying.any():
        return np.zeros(len(points))
    points = points[:, varying]
    factor = robust_factor(points)
    if factor is None:
        names = [name for name, moves in zip(columns, varying, strict=True) if moves]
        raise InputError(
            f"Columns {quoted(names)} depend on each other in more than half of the records (sums, "
            "many equal values), so robust distances do not exist. Name fewer columns, or use "
            "`around: sd`."
        )
    return np.asarray(0.05 * np.sqrt(_lengths(points - points.mean(axis=0), factor)))


def robust_factor(points: Numbers) -> Numbers | None:
    """Cholesky factor of the reweighted MCD covariance; none where half the records lie flat."""
    n, p = points.shape
    if n <= 2 * p + 1:
        return None
    ordered = points[np.lexsort(points.T[::-1])]
    core = tightest_half(ordered)
    return None if core is None else reweighted(ordered, core)


def reweighted(points: Numbers, core: Numbers) -> Numbers | None:
    """Factor of the covariance of all records that are no outliers seen from the core."""
    from scipy.stats import chi2

    n, p = points.shape
    scale = _consistency(p, len(core) / n) * _small_sample(p, n, _RAW, _RAW_FEW)
    factor = _factor(_covariance(core) * scale)
    if factor is None:
        return None
    kept = points[_lengths(points - core.mean(axis=0), factor) < chi2.ppf(TAIL, p)]
    if len(kept) <= p:
        return None
    scale = _consistency(p, len(kept) / n) * _small_sample(p, n, _REWEIGHTED, _REWEIGHTED_FEW)
    return _factor(_covariance(kept) * scale)


def tightest_half(points: Numbers) -> Numbers | None:
    """About half of the records, with the smallest covariance determinant found."""
    from microveil.kernels.statistics.concentrate import concentrate

    rng = np.random.default_rng(0)  # starts only: a public constant, so that results repeat
    n, p = points.shape
    among = np.arange(0, n, -(-n // LARGEST))
    cores = []
    for _ in range(STARTS):
        start = rng.choice(len(among), p + 1, replace=False)
        found = concentrate(points[among], start, FIRST_STEPS, SINGULAR)
        if found is not None:
            cores.append((found[0], among[found[1]]))
    cores.sort(key=lambda found: found[0])
    finished = [concentrate(points, core, LAST_STEPS, SINGULAR) for _, core in cores[:KEPT]]
    best = min((one for one in finished if one is not None), key=lambda one: one[0], default=None)
    return None if best is None else points[best[1]]


def isolated_records(points: Numbers, reach: float) -> Flags:
    """Whether the nearest other record is farther away than ``reach``."""
    from microveil.kernels.neighbours.nearest import nearest_neighbours

    if len(points) < 2 or not points.shape[1]:  # noqa: PLR2004  nobody else is there
        return np.full(len(points), bool(points.shape[1]))
    nearest = nearest_neighbours(points, 1)[:, 0]
    return np.asarray(np.sqrt(((points - points[nearest]) ** 2).sum(axis=1)) > reach)


def _covariance(points: Numbers) -> Numbers:
    centred = points - points.mean(axis=0)
    return np.asarray(centred.T @ centred / (len(points) - 1))


def _factor(covariance: Numbers) -> Numbers | None:
    """Lower triangle whose product with its transpose is the covariance; none where it is flat."""
    try:
        factor: Numbers = np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    spread = np.diag(factor) ** 2
    return factor if spread.min() > SINGULAR * spread.max() else None


def _lengths(centred: Numbers, factor: Numbers) -> Numbers:
    """Squared Mahalanobis lengths."""
    from scipy.linalg import solve_triangular

    turned = solve_triangular(factor, centred.T, lower=True, check_finite=False)
    return np.asarray((turned**2).sum(axis=0))


def _consistency(p: int, share: float) -> float:
    from scipy.stats import chi2

    return float(share / chi2.cdf(chi2.ppf(share, p), p + 2))


def _small_sample(p: int, n: int, curves: Numbers, few: dict[int, tuple[float, float]]) -> float:
    """The factor by which half of a small sample looks too tight."""
    if p in few:
        scale, power = few[p]
        return float(1 / (1 - np.exp(scale) / n**power))
    a, b, q = curves.T
    left = np.column_stack([np.ones(2), -np.log(q * p**2)])
    scale, power = np.linalg.solve(left, np.log(-a / p**b))
    return float(1 / (1 - np.exp(scale) / n**power))
