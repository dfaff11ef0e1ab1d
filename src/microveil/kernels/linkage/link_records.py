"""Linkage: whether the true record is the nearest one, and how many are equally near.

The nearest record itself need not be found: it is enough to know that none is nearer than the true
one. The search therefore starts with the distance of the true record as its bound and stops at the
first record that beats it.
"""

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel, stood_in_for
from microveil.kernels.linkage.link_bounds import Candidates, in_threads, limits
from microveil.kernels.linkage.link_by_columns import (
    MOST_ROWS_APART,
    count_by_columns,
    rows_by_columns,
    without_machine_code,
)
from microveil.kernels.linkage.link_by_prefix import count_by_prefix
from microveil.kernels.neighbours.kd_tree import LEAF
from microveil.kernels.neighbours.mixed_tree import (
    ABSOLUTE,
    NUMBER,
    TABLE,
    Metric,
    MixedTree,
    build_mixed_tree,
    least_apart,
    most_apart,
    rows_apart,
)
from microveil.kernels.stable_order import stable_order_on_cores

SCANNED_PAIRS = 2_000_000
"""Pairs up to which few queries are compared with record after record: most are soon beaten, before
a tree would be built."""
_LANE = 64
"""Records that are compared at a time."""


def true_distances(metric: Metric, queries: Floats, records: Floats) -> Floats:
    """Distance of each query to its true record, row by row.

    >>> from microveil.kernels.neighbours.mixed_tree import number_metric
    >>> true_distances(number_metric(1), np.array([[1.0]]), np.array([[3.0]])).tolist()
    [4.0]
    """
    queries, records = _rows(queries), _rows(records)
    if stood_in_for(_true_distances, queries.size, MOST_ROWS_APART):
        return rows_by_columns(metric, queries, records)
    return _true_distances(metric, queries, records)


def count_nearest(
    metric: Metric, queries: Floats, candidates: Candidates, own: Longs, bounds: Floats
) -> Longs:
    """Number of rows at the distance `bounds` from each query; 0 if any row is nearer.

    `own` is the position of each query's true record among the candidates (only the starting point
    of the search), and its bound is the distance to it. All cores are used; time grows with the
    queries times the records near them.

    >>> from microveil.kernels.neighbours.mixed_tree import number_metric
    >>> candidates = Candidates(np.array([[0.0], [2.0], [9.0]]), np.array([1, 3, 1]))
    >>> queries, own, bounds = np.array([[1.0], [8.0]]), np.array([0, 1]), np.array([1.0, 36.0])
    >>> count_nearest(number_metric(1), queries, candidates, own, bounds).tolist()
    [4, 0]
    """
    records, weights = candidates.points, candidates.weights
    queries, records = _rows(queries), _rows(records)
    counts = np.zeros(len(queries), np.int64)
    if not len(queries) or not len(records):
        return counts
    if records.shape[1] == 0:
        counts[:] = weights.sum()
        return counts
    measured = (metric.kinds == NUMBER) | (metric.kinds == ABSOLUTE)
    if not bool(measured.any()) or bool((metric.kinds >= TABLE).any()):
        return count_by_prefix(metric, queries, Candidates(records, weights), bounds)
    complete = not np.isnan(records).any() and not np.isnan(queries).any()
    plain = complete and bool((metric.kinds == NUMBER).all())
    scanned = plain and len(queries) * len(records) <= SCANNED_PAIRS
    loop = _scan_points if scanned else _count_near_points if plain else _count_near
    if without_machine_code(loop, queries, candidates):
        return count_by_columns(metric, queries, Candidates(records, weights), bounds)
    if scanned:
        _scan_points(queries, np.ascontiguousarray(records.T), weights, bounds, counts)
        return counts
    tree = build_mixed_tree(records, weights)
    leaves = tree.leaf_of[own]

    def work(rows: Longs) -> None:
        if plain:
            _count_near_points(tree, queries, bounds, (rows, leaves), counts)
        else:
            _count_near(tree, metric, queries, bounds, rows, counts)

    # In tree order, so that a query finds what the previous one needed in the cache.
    in_threads(work, stable_order_on_cores(leaves))
    return counts


def _rows(points: Floats) -> Floats:
    return np.ascontiguousarray(points, dtype=np.float64)


@kernel
def _true_distances(metric: Metric, queries: Floats, records: Floats) -> Floats:
    found = np.empty(len(queries))
    for i in range(len(queries)):
        found[i] = rows_apart(metric, queries[i], records[i])
    return found


@kernel
def _count_near(
    tree: MixedTree,
    metric: Metric,
    queries: Floats,
    bounds: Floats,
    rows: Longs,
    counts: Longs,
) -> None:
    stack = np.empty(128, np.int32)
    row = np.empty(queries.shape[1])
    for i in rows:
        query = queries[i]
        beats, ties = limits(bounds[i])
        stack[0] = 0
        depth, count = 1, 0
        while depth > 0:
            depth -= 1
            node = stack[depth]
            least = least_apart(tree, metric, node, query)
            if least > ties:
                continue
            most = most_apart(tree, metric, node, query)
            if most < beats:
                count = 0
                break
            if least >= beats and most <= ties:
                count += tree.weights[node]
                continue
            child = tree.child[node]
            if child >= 0:
                # The nearer child is opened first: it may beat the bound.
                left = least_apart(tree, metric, child, query)
                near = 1 if least_apart(tree, metric, child + 1, query) < left else 0
                stack[depth], stack[depth + 1] = child + 1 - near, child + near
                depth += 2
                continue
            found = _mixed_leaf_count(tree, metric, ~child, (query, row), (beats, ties))
            if found < 0:
                count = 0
                break
            count += found
        counts[i] = count


@kernel
def _mixed_leaf_count(
    tree: MixedTree,
    metric: Metric,
    leaf: int,
    sides: tuple[Floats, Floats],
    limits: tuple[float, float],
) -> int:
    """Rows of a leaf that tie with the query; −1 as soon as one is nearer."""
    query, row = sides
    count = 0
    for slot in range(tree.filled[leaf]):
        row[:] = tree.coordinates[leaf, :, slot]
        distance = rows_apart(metric, query, row)
        if distance < limits[0]:
            return -1
        if distance <= limits[1]:
            count += tree.record_weights[tree.records[leaf, slot]]
    return count


@kernel
def _box_distance(boxes: Floats, node: int, query: Floats) -> float:
    total = 0.0
    for j in range(query.size):
        gap = max(boxes[node, 0, j] - query[j], query[j] - boxes[node, 1, j])
        if gap > 0.0:
            total += gap * gap
    return total


@kernel
def _count_near_points(
    tree: MixedTree, queries: Floats, bounds: Floats, rows: tuple[Longs, Ints], counts: Longs
) -> None:
    """The same for complete numeric data, vectorised and from the true record's leaf upwards."""
    stack = np.empty(128, np.int32)
    lane = np.empty(LEAF)
    for i in rows[0]:
        query = queries[i]
        beats, ties = limits(bounds[i])
        climbed = tree.leaf_node[rows[1][i]]
        stack[0] = climbed
        depth, count = 1, 0
        while depth > 0:
            depth -= 1
            child = tree.child[stack[depth]]
            if child >= 0:
                left = _box_distance(tree.boxes, child, query)
                right = _box_distance(tree.boxes, child + 1, query)
                near = 1 if right < left else 0
                if max(left, right) <= ties:
                    stack[depth] = child + 1 - near
                    depth += 1
                if min(left, right) <= ties:
                    stack[depth] = child + near
                    depth += 1
            else:
                found = _leaf_count(tree, ~child, query, (beats, ties), lane)
                if found < 0:
                    count = 0
                    break
                count += found
            # Everything below has been visited: go to the next near subtree beside the path.
            while depth == 0 and tree.parent[climbed] >= 0:
                first = tree.child[tree.parent[climbed]]
                beside = first if climbed != first else first + 1
                climbed = tree.parent[climbed]
                if _box_distance(tree.boxes, beside, query) <= ties:
                    stack[0] = beside
                    depth = 1
        counts[i] = count


@kernel
def _scan_points(
    queries: Floats, columns: Floats, weights: Longs, bounds: Floats, counts: Longs
) -> None:
    """The same without a tree, for complete numeric data: record after record, by column."""
    lane = np.empty(_LANE)
    for i in range(len(queries)):
        beats, ties = limits(bounds[i])
        count, start, beaten = 0, 0, False
        while start < columns.shape[1] and not beaten:
            size = min(_LANE, columns.shape[1] - start)
            lane[:] = 0.0
            for j in range(len(columns)):
                for slot in range(size):
                    difference = columns[j, start + slot] - queries[i, j]
                    lane[slot] += difference * difference
            for slot in range(size):
                if lane[slot] <= ties:
                    count += weights[start + slot]
                    beaten |= lane[slot] < beats
            start += size
        counts[i] = 0 if beaten else count


@kernel
def _leaf_count(
    tree: MixedTree, leaf: int, query: Floats, limits: tuple[float, float], lane: Floats
) -> int:
    """Rows of a leaf that tie; −1 as soon as one is nearer."""
    block = tree.coordinates[leaf]
    lane[:] = 0.0
    for j in range(query.size):
        for slot in range(LEAF):
            difference = block[j, slot] - query[j]
            lane[slot] += difference * difference
    count = 0
    for slot in range(tree.filled[leaf]):
        if lane[slot] <= limits[1]:
            if lane[slot] < limits[0]:
                return -1
            count += tree.record_weights[tree.records[leaf, slot]]
    return count
