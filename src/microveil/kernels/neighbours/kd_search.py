"""Queries of a k-d tree: the k nearest and the farthest of the remaining records.

>>> from microveil.kernels.neighbours.kd_tree import build_tree
>>> tree = build_tree(np.array([[0.0], [1.0], [5.0]]))
>>> query = np.array([1.5])
>>> farthest_record(tree, new_search(1), query, query, np.inf)
2
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.neighbours.kd_tree import LEAF, KdTree


class Search(NamedTuple):
    """Scratch space of a query, and its result: the nearest records in a heap, farthest on top."""

    distances: Floats
    records: Ints
    state: Longs  # [records found, leaves opened since the last look]
    stack: Ints
    bounds: Floats
    lane: Floats  # distances within one leaf


@kernel
def new_search(capacity: int) -> Search:
    """Scratch space for queries of up to `capacity` records."""
    size = max(capacity, 1)
    return Search(
        np.empty(size),
        np.empty(size, np.int32),
        np.zeros(2, np.int64),
        np.empty(128, np.int32),
        np.empty(128),
        np.empty(LEAF),
    )


@kernel
def leaf_distances(tree: KdTree, leaf: int, query: Floats, lane: Floats) -> None:
    """Squared distances of all slots of a leaf to the query, columns summed in order."""
    block = tree.coordinates[leaf]
    for slot in range(LEAF):
        difference = block[0, slot] - query[0]
        lane[slot] = difference * difference
    for j in range(1, block.shape[0]):
        for slot in range(LEAF):
            difference = block[j, slot] - query[j]
            lane[slot] += difference * difference


@kernel
def _worse(search: Search, first: int, second: int) -> bool:
    """Whether entry `first` is farther than `second`, or ties with the smaller index."""
    if search.distances[first] != search.distances[second]:
        return bool(search.distances[first] > search.distances[second])
    return bool(search.records[first] < search.records[second])


@kernel
def _exchange(search: Search, first: int, second: int) -> None:
    distance, record = search.distances[first], search.records[first]
    search.distances[first] = search.distances[second]
    search.records[first] = search.records[second]
    search.distances[second] = distance
    search.records[second] = record


@kernel
def _sink(search: Search, size: int) -> None:
    """Put the top entry of a heap of so many entries into its place."""
    node = 0
    while 2 * node + 1 < size:
        below = 2 * node + 1
        if below + 1 < size and _worse(search, below + 1, below):
            below += 1
        if not _worse(search, below, node):
            return
        _exchange(search, below, node)
        node = below


@kernel
def sort_found(search: Search) -> None:
    """Sort the records found, nearest first; ties: the larger index first."""
    for last in range(search.state[0] - 1, 0, -1):
        _exchange(search, 0, last)
        _sink(search, last)


@kernel
def _offer(search: Search, wanted: int, distance: float, record: int) -> None:
    """Keep a record if it is among the `wanted` nearest so far (ties: the larger index)."""
    count = search.state[0]
    if count < wanted:
        search.distances[count] = distance
        search.records[count] = record
        search.state[0] += 1
        while count > 0 and _worse(search, count, (count - 1) // 2):
            _exchange(search, count, (count - 1) // 2)
            count = (count - 1) // 2
        return
    if distance > search.distances[0]:
        return
    if distance == search.distances[0] and record < search.records[0]:
        return
    search.distances[0] = distance
    search.records[0] = record
    _sink(search, wanted)


@kernel
def offer_lane(tree: KdTree, leaf: int, search: Search, wanted: int) -> None:
    """Offer the live records of a leaf, whose distances are in `lane`, to a search."""
    for slot in range(tree.filled[leaf]):
        distance = search.lane[slot]
        if search.state[0] < wanted or distance <= search.distances[0]:
            record = tree.records[leaf, slot]
            if tree.where[record] >= 0:
                _offer(search, wanted, distance, record)


@kernel
def _nearest_bound(box: Floats, query: Floats) -> float:
    total = 0.0
    for j in range(query.size):
        below, above = box[0, j] - query[j], query[j] - box[1, j]
        gap = max(below, above)
        if gap > 0.0:
            total += gap * gap
    return total


@kernel
def _farthest_bound(box: Floats, query: Floats, mirror: Floats, reach: float) -> float:
    corner, near = 0.0, 0.0
    for j in range(query.size):
        low, high = box[0, j], box[1, j]
        left, right = query[j] - low, high - query[j]
        gap = max(left, right)
        corner += gap * gap
        left, right = low - mirror[j], mirror[j] - high
        gap = max(left, right)
        if gap > 0.0:
            near += gap * gap
    return min(corner, reach - near)


@kernel
def nearest_records(tree: KdTree, search: Search, query: Floats, wanted: int) -> None:
    """Store the `wanted` nearest live records in `search`; ties go to the larger index."""
    search.state[0] = 0
    if wanted == 0:
        return
    search.stack[0] = 0
    search.bounds[0] = 0.0
    depth = 1
    while depth > 0:
        depth -= 1
        node, bound = search.stack[depth], search.bounds[depth]
        loses_tie = bound == search.distances[0] and tree.spans[node, 1] < search.records[0]
        if search.state[0] == wanted and (bound > search.distances[0] or loses_tie):
            continue
        child = tree.child[node]
        if child < 0:
            search.state[1] += 1
            leaf_distances(tree, ~child, query, search.lane)
            offer_lane(tree, ~child, search, wanted)
            continue
        left = _nearest_bound(tree.boxes[child], query)
        right = _nearest_bound(tree.boxes[child + 1], query)
        # The nearer child goes on top of the stack and is opened first.
        wins_tie = left == right and tree.spans[child + 1, 1] > tree.spans[child, 1]
        near = 1 if right < left or wins_tie else 0
        search.stack[depth] = child + 1 - near
        search.bounds[depth] = max(left, right)
        search.stack[depth + 1] = child + near
        search.bounds[depth + 1] = min(left, right)
        depth += 2


@kernel
def farthest_record(
    tree: KdTree, search: Search, query: Floats, mirror: Floats, reach: float
) -> int:
    """The live record farthest from the query (ties: smallest index), or −1 in an empty tree.

    If all records p lie in a ball, then |p−q|² + |p−m|² ≤ reach for a query q, with m the mirror
    image of q in the centre and reach = 2·radius² + 2·|q−centre|² (the parallelogram law), so a box
    far from m is pruned at once. Widen reach a little against rounding; infinity without a ball.
    """
    best, found = -1.0, -1
    search.stack[0] = 0
    search.bounds[0] = np.inf
    depth = 1
    while depth > 0:
        depth -= 1
        node, bound = search.stack[depth], search.bounds[depth]
        if bound < best or (bound == best and tree.spans[node, 0] > found):
            continue
        child = tree.child[node]
        if child < 0:
            search.state[1] += 1
            leaf_distances(tree, ~child, query, search.lane)
            for slot in range(tree.filled[~child]):
                distance, record = search.lane[slot], tree.records[~child, slot]
                if distance > best or (distance == best and record < found):
                    best, found = distance, record
            continue
        left = _farthest_bound(tree.boxes[child], query, mirror, reach)
        right = _farthest_bound(tree.boxes[child + 1], query, mirror, reach)
        wins_tie = left == right and tree.spans[child + 1, 0] < tree.spans[child, 0]
        far = 1 if right > left or wins_tie else 0
        search.stack[depth] = child + 1 - far
        search.bounds[depth] = min(left, right)
        search.stack[depth + 1] = child + far
        search.bounds[depth + 1] = max(left, right)
        depth += 2
    return found


@kernel
def _farther(distance: float, record: int, than: float, other: int) -> bool:
    return distance > than or (distance == than and record < other)


@kernel
def _keep_farthest(found: Ints, distances: Floats, n: int, record: int, distance: float) -> int:
    """Put a record among the farthest (ties: smallest index); return their number."""
    most = found.size
    place = min(n, most - 1)
    while place > 0 and _farther(distance, record, distances[place - 1], found[place - 1]):
        distances[place], found[place] = distances[place - 1], found[place - 1]
        place -= 1
    distances[place], found[place] = distance, record
    return min(n + 1, most)


@kernel
def _offer_farthest(
    tree: KdTree, leaf: int, search: Search, found: Ints, distances: Floats, n: int
) -> int:
    """Offer the live records of a leaf, whose distances are in `lane`, to the farthest."""
    for slot in range(tree.filled[leaf]):
        record, distance = tree.records[leaf, slot], search.lane[slot]
        farther = n < found.size or _farther(distance, record, distances[n - 1], found[n - 1])
        if farther and tree.where[record] >= 0:
            n = _keep_farthest(found, distances, n, record, distance)
    return n


@kernel
def farthest_records(
    tree: KdTree, search: Search, query: Floats, mirror: Floats, reach: float, found: Ints
) -> int:
    """Fill in the live records farthest from the query, farthest first; return their number.

    Otherwise as :func:`farthest_record`.
    """
    distances = np.empty(found.size)
    n = 0
    search.stack[0] = 0
    search.bounds[0] = np.inf
    depth = 1
    while depth > 0:
        depth -= 1
        node, bound = search.stack[depth], search.bounds[depth]
        if n == found.size and not _farther(
            bound, tree.spans[node, 0] - 1, distances[n - 1], found[n - 1]
        ):
            continue
        child = tree.child[node]
        if child < 0:
            search.state[1] += 1
            leaf_distances(tree, ~child, query, search.lane)
            n = _offer_farthest(tree, ~child, search, found, distances, n)
            continue
        left = _farthest_bound(tree.boxes[child], query, mirror, reach)
        right = _farthest_bound(tree.boxes[child + 1], query, mirror, reach)
        far = 1 if right > left else 0
        search.stack[depth] = child + 1 - far
        search.bounds[depth] = min(left, right)
        search.stack[depth + 1] = child + far
        search.bounds[depth + 1] = max(left, right)
        depth += 2
    return n


@kernel
def nearest_scanned(tree: KdTree, search: Search, query: Floats, wanted: int) -> None:
    """As :func:`nearest_records`, from all leaves: with many columns bounds rule out nothing."""
    search.state[0] = 0
    for leaf in range(tree.filled.size):
        leaf_distances(tree, leaf, query, search.lane)
        low = search.lane[0]
        for slot in range(1, LEAF):
            low = min(low, search.lane[slot])
        if search.state[0] < wanted or low <= search.distances[0]:
            offer_lane(tree, leaf, search, wanted)


@kernel
def farthest_scanned(tree: KdTree, search: Search, query: Floats, found: Ints) -> int:
    """As :func:`farthest_records`, from all leaves."""
    distances = np.empty(found.size)
    n = 0
    for leaf in range(tree.filled.size):
        leaf_distances(tree, leaf, query, search.lane)
        high = search.lane[0]
        for slot in range(1, LEAF):
            high = max(high, search.lane[slot])
        if n < found.size or high >= distances[n - 1]:
            n = _offer_farthest(tree, leaf, search, found, distances, n)
    return n
