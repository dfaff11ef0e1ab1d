"""Distances of all pairs, the few nearest candidates of every query, agreement patterns."""

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.linkage.link_bounds import Candidates, in_threads
from microveil.kernels.neighbours.mixed_tree import (
    Metric,
    MixedTree,
    build_mixed_tree,
    cells_apart,
    least_apart,
    rows_apart,
)

MOST_COLUMNS = 20
"""A pattern has one bit per column, and there is a counter for each pattern."""


def all_distances(metric: Metric, queries: Floats, records: Floats) -> Floats:
    """Distance of every query to every record: (queries, records).

    >>> from microveil.kernels.neighbours.mixed_tree import number_metric
    >>> all_distances(number_metric(1), np.array([[1.0]]), np.array([[1.0], [3.0]])).tolist()
    [[0.0, 4.0]]
    """
    queries, records = np.ascontiguousarray(queries), np.ascontiguousarray(records)
    found = np.empty((len(queries), len(records)))
    in_threads(
        lambda rows: _all_distances(metric, queries, records, rows, found),
        np.arange(len(queries)),
        256,
    )
    return found


def nearest_candidates(
    metric: Metric, queries: Floats, candidates: Candidates, wanted: int
) -> tuple[Longs, Floats]:
    """The `wanted` nearest candidates of each query and their distances, nearest first.

    >>> from microveil.kernels.neighbours.mixed_tree import number_metric
    >>> candidates = Candidates(np.array([[0.0], [2.0], [9.0]]), np.array([1, 1, 1]))
    >>> nearest_candidates(number_metric(1), np.array([[8.0]]), candidates, 2)[0].tolist()
    [[2, 1]]
    """
    queries = np.ascontiguousarray(queries)
    places = np.zeros((len(queries), wanted), np.int64)
    distances = np.full((len(queries), wanted), np.inf)
    if queries.shape[1] and len(queries):
        tree = build_mixed_tree(candidates.points, candidates.weights)
        in_threads(
            lambda rows: _nearest(tree, metric, queries, rows, (places, distances)),
            np.arange(len(queries)),
            512,
        )
    return places, distances


def count_patterns(metric: Metric, queries: Floats, candidates: Candidates) -> Longs:
    """Number of pairs that agree on each set of columns: bit j of the index is column j.

    A cell that is missing on one side counts as disagreement.

    >>> from microveil.kernels.neighbours.mixed_tree import number_metric
    >>> candidates = Candidates(np.array([[0.0], [2.0]]), np.array([1, 3]))
    >>> count_patterns(number_metric(1), np.array([[2.0]]), candidates).tolist()
    [1, 3]
    """
    if queries.shape[1] > MOST_COLUMNS:
        raise ValueError(f"{MOST_COLUMNS} columns at most.")
    queries, points = np.ascontiguousarray(queries), np.ascontiguousarray(candidates.points)
    found: list[Longs] = []
    in_threads(
        lambda rows: found.append(
            _count_patterns(metric, queries[rows], points, candidates.weights)
        ),
        np.arange(len(queries)),
        128,
    )
    total = np.zeros(1 << queries.shape[1], np.int64)
    for counts in found:
        total += counts
    return total


@kernel
def _all_distances(
    metric: Metric, queries: Floats, records: Floats, rows: Longs, found: Floats
) -> None:
    for i in rows:
        for k in range(len(records)):
            found[i, k] = rows_apart(metric, queries[i], records[k])


@kernel
def _nearest(
    tree: MixedTree, metric: Metric, queries: Floats, rows: Longs, found: tuple[Longs, Floats]
) -> None:
    stack, bounds = np.empty(128, np.int32), np.empty(128)
    row = np.empty(queries.shape[1])
    for i in rows:
        query, places, distances = queries[i], found[0][i], found[1][i]
        last = distances.size - 1
        stack[0], bounds[0] = 0, 0.0
        depth = 1
        while depth > 0:
            depth -= 1
            if bounds[depth] >= distances[last]:
                continue
            child = tree.child[stack[depth]]
            if child >= 0:
                left = least_apart(tree, metric, child, query)
                right = least_apart(tree, metric, child + 1, query)
                near = 1 if right < left else 0
                stack[depth], bounds[depth] = child + 1 - near, max(left, right)
                stack[depth + 1], bounds[depth + 1] = child + near, min(left, right)
                depth += 2
                continue
            for slot in range(tree.filled[~child]):
                row[:] = tree.coordinates[~child, :, slot]
                distance = rows_apart(metric, query, row)
                if distance >= distances[last]:
                    continue
                place = last
                while place > 0 and distances[place - 1] > distance:
                    distances[place] = distances[place - 1]
                    places[place] = places[place - 1]
                    place -= 1
                distances[place] = distance
                places[place] = tree.records[~child, slot]


@kernel
def _count_patterns(metric: Metric, queries: Floats, points: Floats, weights: Longs) -> Longs:
    d = queries.shape[1]
    counts = np.zeros(1 << d, np.int64)
    for i in range(len(queries)):
        for k in range(len(points)):
            pattern = 0
            for j in range(d):
                first, second = queries[i, j], points[k, j]
                one_missing = np.isnan(first) != np.isnan(second)
                if not one_missing and cells_apart(metric, j, first, second) == 0.0:
                    pattern |= 1 << j
            counts[pattern] += weights[k]
    return counts
