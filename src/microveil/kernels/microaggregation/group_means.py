"""Sizes, means and sums of squares of groups labelled 0..groups−1."""

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.checks import check_labels


def group_sizes(labels: Ints) -> Longs:
    """Number of records per group.

    >>> group_sizes(np.array([0, 1, 0], dtype=np.int32)).tolist()
    [2, 1]
    """
    return np.bincount(labels).astype(np.int64)


def group_means(points: Floats, labels: Ints) -> Floats:
    """Mean of each column in each group, (groups, columns).

    >>> group_means(np.array([[1.0], [7.0], [3.0]]), np.array([0, 1, 0], dtype=np.int32)).tolist()
    [[2.0], [7.0]]
    """
    check_labels(points, labels)
    sizes = group_sizes(labels)
    first = np.zeros(len(sizes), dtype=np.int64)
    # Of equal indices the last assignment wins, so go backwards.
    first[labels[::-1]] = np.arange(len(labels) - 1, -1, -1)
    means = np.zeros((len(sizes), points.shape[1]))
    there = sizes > 0
    for j, column in enumerate(np.asarray(points, dtype=np.float64).T):
        # Offsets from a member: large values with a small spread keep their precision.
        offsets = np.bincount(labels, column - column[first[labels]], len(sizes))
        means[there, j] = column[first[there]] + offsets[there] / sizes[there]
    return means


def group_sse(points: Floats, labels: Ints) -> Floats:
    """Sum of squared distances to the mean of each group.

    >>> group_sse(np.array([[1.0], [7.0], [3.0]]), np.array([0, 1, 0], dtype=np.int32)).tolist()
    [2.0, 0.0]
    """
    differences = np.asarray(points, dtype=np.float64) - group_means(points, labels)[labels]
    squares = (differences * differences).ravel()
    return np.asarray(np.bincount(np.repeat(labels, points.shape[1]), squares), dtype=np.float64)


def total_sse(points: Floats) -> float:
    """Sum of squared distances of all records to their common mean (SST).

    >>> total_sse(np.array([[1.0], [3.0]]))
    2.0
    """
    return float(group_sse(points, np.zeros(len(points), dtype=np.int32)).sum())
