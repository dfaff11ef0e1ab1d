"""The nearest other records of every record."""

import numpy as np

from microveil.arrays import Floats, Ints
from microveil.kernels.jit import kernel, stood_in_for
from microveil.kernels.neighbours.kd_search import nearest_records, new_search
from microveil.kernels.neighbours.kd_tree import KdTree, build_tree, live_records
from microveil.kernels.sorting import argsort

MOST_CELLS = 100_000_000
"""Records × records × columns up to which NumPy is quicker than compiling: about a second."""


def nearest_neighbours(points: Floats, wanted: int) -> Ints:
    """For each record the indices of its `wanted` nearest others, nearest first.

    Ties go to the larger index.

    >>> nearest_neighbours(np.array([[0.0], [1.0], [3.0]]), 2).tolist()
    [[1, 2], [0, 2], [1, 0]]
    """
    if not 0 < wanted < len(points):
        raise ValueError(f"{len(points)} records do not have {wanted} neighbours each.")
    points = np.ascontiguousarray(points, dtype=np.float64)
    if stood_in_for(_nearest_neighbours, len(points) * points.size, MOST_CELLS):
        return _by_scans(points, wanted)
    return _nearest_neighbours(build_tree(points), points, wanted)


def _by_scans(points: Floats, wanted: int) -> Ints:
    """The same with NumPy, from the distances to all others."""
    n = len(points)
    found = np.empty((n, wanted), np.int32)
    backwards = np.ascontiguousarray(points[::-1].T)
    for record in range(n):
        distances = np.zeros(n)
        for column, value in zip(backwards, points[record], strict=True):
            apart = column - value
            distances += apart * apart
        distances[n - 1 - record] = np.inf
        # Those that may be among the nearest, sorted with ties in falling order of index.
        last = np.partition(distances, wanted - 1)[wanted - 1]
        near = np.flatnonzero(distances <= last)
        order = np.argsort(distances[near], kind="stable")
        found[record] = n - 1 - near[order[:wanted]]
    return found


@kernel
def _nearest_neighbours(tree: KdTree, points: Floats, wanted: int) -> Ints:
    found = np.empty((points.shape[0], wanted), np.int32)
    search = new_search(wanted + 1)
    behind, apart = np.empty(wanted + 1, np.int64), np.empty(wanted + 1)
    # In tree order, so that a query finds the leaves of the previous one in the cache.
    for record in live_records(tree, points.shape[0]):
        nearest_records(tree, search, points[record], wanted + 1)
        count = 0
        # Equal distances are sorted by a stable sort over falling indices.
        for i in range(wanted + 1):
            behind[i] = -search.records[i]
        falling = argsort(behind)
        for i in range(wanted + 1):
            apart[i] = search.distances[falling[i]]
        for place in argsort(apart):
            position = falling[place]
            # Among many duplicates the record itself may be absent; then the last is dropped.
            if search.records[position] != record and count < wanted:
                found[record, count] = search.records[position]
                count += 1
    return found
