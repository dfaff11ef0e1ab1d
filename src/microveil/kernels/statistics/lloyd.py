"""k-means by Lloyd's algorithm: points to the nearest centre, centres to the mean."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel


def lloyd(points: Floats, centres: Floats, n_steps: int) -> tuple[float, Longs, Floats]:
    """Sum of squared distances to the centres, cluster of each point, and the final centres.

    Stops when nothing changes, or after ``n_steps``. Ties go to the first centre; a centre without
    points stays where it is. Time grows with points × centres × columns × steps.

    >>> spread, clusters, _ = lloyd(np.array([[0.0], [1.0], [9.0]]), np.array([[0.0], [9.0]]), 10)
    >>> spread, clusters.tolist()
    (0.5, [0, 0, 1])
    """
    centres = np.array(centres, dtype=np.float64, order="C")
    clusters = np.full(len(points), -1, dtype=np.int64)
    points = np.ascontiguousarray(points, dtype=np.float64)
    sums, counts = np.zeros(centres.shape), np.zeros(len(centres), dtype=np.int64)
    spread = _lloyd(points, centres, clusters, sums, counts, n_steps)
    return float(spread), clusters, centres


@kernel
def _assign(
    points: Floats, centres: Floats, clusters: Longs, sums: Floats, counts: Longs
) -> tuple[float, bool]:
    """Assign each point to its nearest centre; add up sums and counts of the clusters."""
    spread, changed = 0.0, False
    for c in range(len(centres)):
        counts[c] = 0
        for j in range(points.shape[1]):
            sums[c, j] = 0.0
    for i in range(len(points)):
        best, nearest = np.inf, 0
        for c in range(len(centres)):
            gap = 0.0
            for j in range(points.shape[1]):
                move = points[i, j] - centres[c, j]
                gap += move * move
            if gap < best:
                best, nearest = gap, c
        spread += best
        changed |= clusters[i] != nearest
        clusters[i] = nearest
        counts[nearest] += 1
        for j in range(points.shape[1]):
            sums[nearest, j] += points[i, j]
    return spread, changed


@kernel
def _lloyd(
    points: Floats, centres: Floats, clusters: Longs, sums: Floats, counts: Longs, n_steps: int
) -> float:
    spread = 0.0
    for step in range(n_steps + 1):
        spread, changed = _assign(points, centres, clusters, sums, counts)
        if not changed or step == n_steps:
            break
        for c in range(len(centres)):
            for j in range(points.shape[1]):
                if counts[c] > 0:
                    centres[c, j] = sums[c, j] / counts[c]
    return spread
