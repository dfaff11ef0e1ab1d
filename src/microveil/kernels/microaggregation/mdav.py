"""Multivariate microaggregation by MDAV: the exact partition in well under quadratic time."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.cores import n_threads
from microveil.kernels.checks import check_points
from microveil.kernels.exact_sums import add_exactly
from microveil.kernels.jit import kernel, stood_in_for
from microveil.kernels.microaggregation.centroid_shell import list_shell, read_shell
from microveil.kernels.microaggregation.mdav_by_scans import MOST_CELLS, mdav_by_scans
from microveil.kernels.neighbours.kd_search import (
    Search,
    farthest_record,
    leaf_distances,
    nearest_records,
    new_search,
    offer_lane,
    sort_found,
)
from microveil.kernels.neighbours.kd_tree import (
    LEAF,
    KdTree,
    build_tree_over,
    drop_record,
    live_records,
    remove_record,
)

ON_CORES_FROM = 100_000
"""Records from which several threads are quicker than one, what they compile included."""
FEWEST_THREADS = 4
"""Threads from which looking ahead pays: it takes half as much CPU again (measured)."""

# Queries that open more than this share of the leaves are slower than a plain scan (measured).
DEFEATED = 0.1
_LOOK_EVERY = 48


def mdav(points: Floats, k: int) -> Ints:
    """Group of each record by MDAV (Domingo-Ferrer and Torra 2005); sizes k..2k−1.

    While at least 3k records remain, r, the record farthest from their centroid, forms a group with
    its k−1 nearest; then s, the remaining record farthest from r, does the same. With 2k..3k−1
    left, one more group is formed around r; the rest is the last group. Ties: smallest index for
    the farthest, largest index for the nearest. Columns are used as given: standardise first.
    Groups are numbered in the order of formation. Time grows like n^1.2 on few columns, like n²
    when the columns are many and independent; memory is about 3.5 times `points`.

    >>> mdav(np.array([[0.0], [1.0], [10.0], [11.0], [5.0]]), 2).tolist()
    [1, 1, 0, 0, 1]
    """
    check_points(points, k)
    rows = np.ascontiguousarray(points, dtype=np.float64)
    if stood_in_for(_mdav, rows.size * len(rows) // k, MOST_CELLS):
        return mdav_by_scans(rows, k)
    everyone = np.arange(len(rows), dtype=np.int32)
    if n_threads() >= FEWEST_THREADS and len(rows) >= ON_CORES_FROM:
        from microveil.kernels.microaggregation.mdav_on_cores import mdav_on_cores

        return mdav_on_cores(rows, everyone, k)
    return _mdav(rows, everyone, k)


class Left(NamedTuple):
    """The records without a group: their number, the tree's size, and exact column sums."""

    labels: Ints
    high: Floats
    low: Floats
    state: Longs  # [records left, records when the tree was built, groups formed, scanning?]


@kernel
def _remove(points: Floats, tree: KdTree, left: Left, record: int) -> None:
    left.labels[record] = left.state[2]
    left.state[0] -= 1
    for j in range(points.shape[1]):
        add_exactly(left.high, left.low, j, -points[record, j])
    if left.state[3]:
        drop_record(tree, record)
    else:
        remove_record(tree, record)


@kernel
def _sweep(tree: KdTree, search: Search, query: Floats, wanted: int) -> int:
    """Scan for the `wanted` nearest, left in `search`; return the farthest, found on the way."""
    search.state[0] = 0
    lane = search.lane
    best, found = -1.0, -1
    for leaf in range(tree.filled.size):
        leaf_distances(tree, leaf, query, lane)
        low, high = lane[0], lane[0]
        for slot in range(1, LEAF):
            low, high = min(low, lane[slot]), max(high, lane[slot])
        if high >= best:
            for slot in range(tree.filled[leaf]):
                record = tree.records[leaf, slot]
                if lane[slot] > best or (lane[slot] == best and record < found):
                    best, found = lane[slot], record
        if search.state[0] < wanted or low <= search.distances[0]:
            offer_lane(tree, leaf, search, wanted)
    return found


@kernel
def _form_group(points: Floats, tree: KdTree, search: Search, left: Left, seed: int, k: int) -> int:
    """Remove a record and its k−1 nearest as a group; return the farthest if it was seen."""
    _remove(points, tree, left, seed)
    farthest = -1
    if left.state[3]:
        farthest = _sweep(tree, search, points[seed], k - 1)
    else:
        nearest_records(tree, search, points[seed], k - 1)
    sort_found(search)
    for position in range(search.state[0]):
        _remove(points, tree, left, search.records[position])
    left.state[2] += 1
    return farthest


@kernel
def opposite(tree: KdTree, search: Search, query: Floats, centre: Floats, seen: int) -> int:
    """The record farthest from the query; `seen` unless a tie has put it into the last group."""
    if seen >= 0 and tree.where[seen] >= 0:
        return seen
    # No record is farther from the centre than the query: all lie in the ball through it.
    mirror = np.empty(query.size)
    radius, size = 0.0, 0.0
    for j in range(query.size):
        mirror[j] = 2 * centre[j] - query[j]
        radius += (query[j] - centre[j]) * (query[j] - centre[j])
        size += abs(mirror[j])
    # Squares are rounded, and so is the mirror image, by more than they if far from the origin.
    reach = 4.0 * radius * (1 + 1e-10) + 1e-15 * size * np.sqrt(radius)
    return farthest_record(tree, search, query, mirror, reach)


@kernel
def all_left(points: Floats) -> Left:
    """Nobody has a group yet."""
    n, d = points.shape
    left = Left(np.full(n, -1, np.int32), np.zeros(d), np.zeros(d), np.array([n, n, 0, 0]))
    for i in range(n):
        for j in range(d):
            add_exactly(left.high, left.low, j, points[i, j])
    return left


@kernel
def set_centre(left: Left, centre: Floats) -> None:
    """Fill in the centroid of the records that are left."""
    for j in range(centre.size):
        centre[j] = left.high[j] / left.state[0]


@kernel
def _mdav(points: Floats, everyone: Ints, k: int) -> Ints:
    left = all_left(points)
    return group_rest(points, build_tree_over(points, everyone), left, k)


@kernel
def group_rest(points: Floats, tree: KdTree, left: Left, k: int) -> Ints:
    """Form all groups of the records that are left, on one thread."""
    search = new_search(k)
    centre = np.empty(points.shape[1])
    set_centre(left, centre)
    shell = list_shell(points, tree, centre, left.state[0])
    queries = 0
    while left.state[0] >= 2 * k:
        if 2 * left.state[0] < left.state[1]:
            left.state[1] = left.state[0]
            tree = build_tree_over(points, live_records(tree, left.state[0]))
        set_centre(left, centre)
        first = -1
        if shell.state[1] < 2 * left.state[0]:
            first = read_shell(shell, tree, centre)
        if first < 0:
            shell = list_shell(points, tree, centre, left.state[0])
            first = read_shell(shell, tree, centre)
        with_second = left.state[0] >= 3 * k
        seen = _form_group(points, tree, search, left, first, k)
        if with_second:
            second = opposite(tree, search, points[first], centre, seen)
            _form_group(points, tree, search, left, second, k)
        queries += 3
        if not left.state[3] and queries > _LOOK_EVERY:
            left.state[3] = search.state[1] > DEFEATED * queries * tree.filled.size
            queries, search.state[1] = 0, 0
    for i in range(left.labels.size):
        if left.labels[i] < 0:
            left.labels[i] = left.state[2]
    return left.labels
