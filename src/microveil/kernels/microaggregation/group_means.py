"""Sizes, means and sums of squares of groups labelled 0..groups−1."""

import numpy as np

from microveil.kernels.checks import check_labels
from microveil.kernels.jit import Floats, Ints, Longs, kernel


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
    points = np.ascontiguousarray(points, dtype=np.float64)
    return _group_means(points, labels, group_sizes(labels))


def group_sse(points: Floats, labels: Ints) -> Floats:
    """Sum of squared distances to the mean of each group.

    >>> group_sse(np.array([[1.0], [7.0], [3.0]]), np.array([0, 1, 0], dtype=np.int32)).tolist()
    [2.0, 0.0]
    """
    means = group_means(points, labels)
    return _group_sse(np.ascontiguousarray(points, dtype=np.float64), labels, means)


def total_sse(points: Floats) -> float:
    """Sum of squared distances of all records to their common mean (SST).

    >>> total_sse(np.array([[1.0], [3.0]]))
    2.0
    """
    return float(group_sse(points, np.zeros(len(points), dtype=np.int32)).sum())


@kernel
def _group_means(points: Floats, labels: Ints, sizes: Longs) -> Floats:
    n, d = points.shape
    first = np.full(sizes.size, -1, np.int64)
    means = np.zeros((sizes.size, d))
    for i in range(n):
        group = labels[i]
        if first[group] < 0:
            first[group] = i
        # Offsets from a member: large values with a small spread keep their precision.
        for j in range(d):
            means[group, j] += points[i, j] - points[first[group], j]
    for group in range(sizes.size):
        if sizes[group] > 0:
            for j in range(d):
                means[group, j] = points[first[group], j] + means[group, j] / sizes[group]
    return means


@kernel
def _group_sse(points: Floats, labels: Ints, means: Floats) -> Floats:
    n, d = points.shape
    spread = np.zeros(means.shape[0])
    for i in range(n):
        for j in range(d):
            difference = points[i, j] - means[labels[i], j]
            spread[labels[i]] += difference * difference
    return spread
