"""C-steps of FAST-MCD: a core is replaced by the half of the records nearest to it."""

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel


def concentrate(points: Floats, core: Longs, steps: int, singular: float) -> tuple[float, Longs]:
    """Log determinant of the core's covariance after at most so many steps, and the core.

    The logarithm is −∞ if the core lies in a hyperplane: a residual variance is below `singular`
    times the largest. Such a core goes no further. Written out instead of calling a matrix library,
    whose threads take longer to start than these small sums take.

    >>> points = np.array([[0.0], [0.1], [0.2], [5.0], [9.0]])
    >>> concentrate(points, np.array([0, 3]), 10, 1e-13)[1].tolist()
    [0, 1, 2]
    """
    points = np.ascontiguousarray(points, dtype=np.float64)
    volume, found = _concentrate(points, np.asarray(core, dtype=np.int64), steps, singular)
    return float(volume), found


def has_extent(points: Floats, core: Longs, singular: float) -> bool:
    """Whether the core has positive variance in every direction, i.e. lies in no hyperplane.

    >>> has_extent(np.array([[0.0], [0.1], [0.1]]), np.array([1, 2]), 1e-13)
    False
    """
    points = np.ascontiguousarray(points, dtype=np.float64)
    mean = np.empty(points.shape[1])
    factor = _factor(points, np.asarray(core, dtype=np.int64), mean, singular)
    return bool(factor[0, 0] > 0)


@kernel
def _covariance(points: Floats, core: Longs, mean: Floats) -> Floats:
    """Lower triangle of the core's covariance; its mean goes into `mean`."""
    p = points.shape[1]
    mean[:] = 0.0
    for i in core:
        for j in range(p):
            mean[j] += points[i, j]
    mean /= core.size
    found = np.zeros((p, p))
    row = np.empty(p)
    for i in core:
        for j in range(p):
            row[j] = points[i, j] - mean[j]
        for j in range(p):
            for k in range(j + 1):
                found[j, k] += row[j] * row[k]
    found /= max(core.size - 1, 1)
    return found


@kernel
def _factor(points: Floats, core: Longs, mean: Floats, singular: float) -> Floats:
    """Cholesky factor of the core's covariance; its first entry is 0 if that is singular."""
    factor = _covariance(points, core, mean)
    least, most = np.inf, 0.0
    for j in range(points.shape[1]):
        for k in range(j + 1):
            total = factor[j, k]
            for q in range(k):
                total -= factor[j, q] * factor[k, q]
            factor[j, k] = total / factor[k, k] if k < j else np.sqrt(max(total, 0.0))
        least, most = min(least, factor[j, j]), max(most, factor[j, j])
        if not least * least > singular * most * most:
            factor[0, 0] = 0.0
            break
    return factor


@kernel
def _nearest_half(points: Floats, mean: Floats, factor: Floats, half: int) -> Longs:
    n, p = points.shape
    apart, turned = np.empty(n), np.empty(p)
    for i in range(n):
        total = 0.0
        for j in range(p):
            value = points[i, j] - mean[j]
            for k in range(j):
                value -= factor[j, k] * turned[k]
            turned[j] = value / factor[j, j]
            total += turned[j] * turned[j]
        apart[i] = total
    limit = np.partition(apart, half - 1)[half - 1]
    left = half - np.sum(apart < limit)
    found = np.empty(half, np.int64)
    count = 0
    for i in range(n):
        if apart[i] < limit or (apart[i] == limit and left > 0):
            left -= 0 if apart[i] < limit else 1
            found[count] = i
            count += 1
    return found


@kernel
def _concentrate(points: Floats, core: Longs, steps: int, singular: float) -> tuple[float, Longs]:
    n, p = points.shape
    mean = np.empty(p)
    factor = _factor(points, core, mean, singular)
    volume = np.inf
    for _ in range(steps):
        if factor[0, 0] == 0.0:
            break
        core = _nearest_half(points, mean, factor, (n + p + 1) // 2)
        factor = _factor(points, core, mean, singular)
        now = 0.0
        for j in range(p):
            now += 2 * np.log(factor[j, j]) if factor[0, 0] > 0.0 else -np.inf
        if not now < volume:
            break
        volume = now
    return (-np.inf if factor[0, 0] == 0.0 else volume), core
