"""MDAV by distances alone, for records without a mean: the medoid takes its place."""

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Singles
from microveil.kernels.jit import kernel


def medoid_mdav(distances: Singles, k: int) -> Ints:
    """Group of each record: MDAV with the medoid of the remaining records instead of the mean.

    The medoid is the record with the smallest sum of distances to the others. Ties go to the first.
    Time and memory grow with the square of the records.

    >>> apart = np.abs(np.subtract.outer([0, 9, 1, 8], [0, 9, 1, 8])).astype(np.float32)
    >>> medoid_mdav(apart, 2).tolist()
    [1, 0, 1, 0]
    """
    return _medoid_mdav(np.ascontiguousarray(distances, dtype=np.float32), k)


@kernel
def _medoid_mdav(distances: Singles, k: int) -> Ints:
    n = len(distances)
    labels = np.full(n, -1, np.int32)
    sums = np.zeros(n)
    for i in range(n):
        for j in range(n):
            sums[i] += distances[i, j]
    left, group = n, 0
    while left >= 2 * k:
        middle = _least(sums, labels)
        first = _farthest(distances[middle], labels)
        _take(distances, labels, sums, (first, k, group))
        group, left = group + 1, left - k
        if left >= 2 * k:
            second = _farthest(distances[first], labels)
            _take(distances, labels, sums, (second, k, group))
            group, left = group + 1, left - k
    if left > 0:
        for i in range(n):
            if labels[i] < 0:
                labels[i] = group
    return labels


@kernel
def _least(sums: NDArray[np.float64], labels: Ints) -> int:
    found = -1
    for i in range(len(sums)):
        if labels[i] < 0 and (found < 0 or sums[i] < sums[found]):
            found = i
    return found


@kernel
def _farthest(distances: Singles, labels: Ints) -> int:
    found = -1
    for i in range(len(distances)):
        if labels[i] < 0 and (found < 0 or distances[i] > distances[found]):
            found = i
    return found


@kernel
def _take(
    distances: Singles, labels: Ints, sums: NDArray[np.float64], what: tuple[int, int, int]
) -> None:
    """Assign a record and its k − 1 nearest to a group, and subtract them from the others' sums."""
    centre, k, group = what
    nearest = centre
    for _ in range(k):
        labels[nearest] = group
        for i in range(len(sums)):
            sums[i] -= distances[i, nearest]
        nearest = -1
        for i in range(len(sums)):
            if labels[i] < 0 and (nearest < 0 or distances[centre, i] < distances[centre, nearest]):
                nearest = i
        if nearest < 0:
            break
