"""A k-d tree whose records can be taken out: k nearest and farthest record among those left.

Records lie in leaves of `LEAF` slots, coordinates side by side so that a leaf is compared at vector
speed. When a record leaves, the boxes above it shrink. Distances of boxes are rounded in the same
order as distances of records, so a box never claims to be farther (or nearer) than what it holds
and the answers are exactly those of a scan, ties included. Each node knows the span of its indices:
among thousands of twins the one that wins a tie is found without looking at the others.
"""

from typing import NamedTuple

import numpy as np

from microveil.kernels.jit import Floats, Ints, Longs, kernel

LEAF = 8
_NOBODY = 2**31 - 1


class Tree(NamedTuple):
    """Arrays of one tree; `where` is indexed by record, −1 once the record has left."""

    coordinates: Floats  # (leaves, columns, LEAF)
    records: Ints  # (leaves, LEAF)
    filled: Ints  # live slots per leaf
    where: Ints  # leaf * LEAF + slot
    boxes: Floats  # (nodes, 2, columns): lower and upper corner
    spans: Ints  # (nodes, 2): no live record is smaller or larger
    child: Ints  # first of two neighbouring children, or ~leaf
    parent: Ints
    leaf_node: Ints


class Search(NamedTuple):
    """Scratch space of a query, and its answer: the nearest records in a heap, worst on top."""

    distances: Floats
    records: Ints
    state: Longs  # [records found, leaves opened since the last look]
    stack: Ints
    bounds: Floats
    lane: Floats  # distances within one leaf


def build_tree(points: Floats) -> Tree:
    """Tree over the rows of `points`.

    >>> tree = build_tree(np.array([[0.0], [1.0], [5.0]]))
    >>> query = np.array([1.5])
    >>> farthest_record(tree, new_search(1), query, query, np.inf)
    2
    """
    return build_tree_over(points, np.arange(len(points), dtype=np.int32))


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
def _select(rows: Floats, records: Ints, column: int, span: tuple[int, int, int]) -> None:
    """Reorder rows start..stop so that those before `middle` are not larger in `column`."""
    low, middle, high = span[0], span[1], span[2] - 1
    state = 12345
    while low < high:
        # A pivot from a fixed pseudo-random sequence: no data set can be prepared against it.
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        pivot = rows[low + state % (high - low + 1), column]
        left, right = low, high
        while left <= right:
            while rows[left, column] < pivot:
                left += 1
            while pivot < rows[right, column]:
                right -= 1
            if left <= right:
                for j in range(rows.shape[1]):
                    kept = rows[left, j]
                    rows[left, j] = rows[right, j]
                    rows[right, j] = kept
                record = records[left]
                records[left] = records[right]
                records[right] = record
                left += 1
                right -= 1
        if middle <= right:
            high = right
        elif middle >= left:
            low = left
        else:
            return


@kernel
def _widest_column(rows: Floats, start: int, stop: int, box: Floats) -> int:
    """Fill the box (lower, upper corner) of rows start..stop; return its widest column."""
    d = rows.shape[1]
    for j in range(d):
        box[0, j] = rows[start, j]
        box[1, j] = rows[start, j]
    for i in range(start + 1, stop):
        for j in range(d):
            value = rows[i, j]
            box[0, j] = min(box[0, j], value)
            box[1, j] = max(box[1, j], value)
    widest = 0
    for j in range(1, d):
        if box[1, j] - box[0, j] > box[1, widest] - box[0, widest]:
            widest = j
    return widest


@kernel
def _fill_leaf(tree: Tree, leaf: int, rows: Floats, records: Ints) -> None:
    start = leaf * LEAF
    stop = min(start + LEAF, rows.shape[0])
    tree.filled[leaf] = stop - start
    for slot in range(LEAF):
        # Empty slots repeat the first record, so that no arithmetic meets stray numbers.
        source = start + slot if start + slot < stop else start
        tree.records[leaf, slot] = records[source]
        for j in range(rows.shape[1]):
            tree.coordinates[leaf, j, slot] = rows[source, j]
    for i in range(start, stop):
        tree.where[records[i]] = i


@kernel
def _span_node(tree: Tree, node: int) -> bool:
    """Set the span of a node from what it holds; whether it changed."""
    low, high = _NOBODY, -1
    child = tree.child[node]
    if child < 0:
        for slot in range(tree.filled[~child]):
            low, high = min(low, tree.records[~child, slot]), max(high, tree.records[~child, slot])
    else:
        low = min(tree.spans[child, 0], tree.spans[child + 1, 0])
        high = max(tree.spans[child, 1], tree.spans[child + 1, 1])
    changed = low != tree.spans[node, 0] or high != tree.spans[node, 1]
    tree.spans[node, 0], tree.spans[node, 1] = low, high
    return bool(changed)


@kernel
def build_tree_over(points: Floats, live: Ints) -> Tree:
    """Tree over the rows of `points` named by `live`; the other records count as gone."""
    n, d = live.size, points.shape[1]
    leaves = (n + LEAF - 1) // LEAF
    tree = Tree(
        np.empty((leaves, d, LEAF)),
        np.empty((leaves, LEAF), np.int32),
        np.zeros(leaves, np.int32),
        np.full(points.shape[0], -1, np.int32),
        np.empty((2 * leaves - 1, 2, d)),
        np.empty((2 * leaves - 1, 2), np.int32),
        np.empty(2 * leaves - 1, np.int32),
        np.full(2 * leaves - 1, -1, np.int32),
        np.empty(leaves, np.int32),
    )
    rows, records = points[live], live.copy()
    pending = np.empty((128, 3), np.int32)  # node, first leaf, number of leaves
    pending[0, 0], pending[0, 1], pending[0, 2] = 0, 0, leaves
    depth, nodes = 1, 1
    while depth > 0:
        depth -= 1
        node, first, number = pending[depth, 0], pending[depth, 1], pending[depth, 2]
        start, stop = first * LEAF, min((first + number) * LEAF, n)
        column = _widest_column(rows, start, stop, tree.boxes[node])
        if number == 1:
            tree.child[node] = ~first
            tree.leaf_node[first] = node
            _fill_leaf(tree, first, rows, records)
            continue
        half = (number + 1) // 2
        _select(rows, records, column, (start, (first + half) * LEAF, stop))
        tree.child[node] = nodes
        for side in range(2):
            tree.parent[nodes + side] = node
            pending[depth, 0] = nodes + side
            pending[depth, 1] = first + side * half
            pending[depth, 2] = half if side == 0 else number - half
            depth += 1
        nodes += 2
    for node in range(nodes - 1, -1, -1):  # children have larger numbers than their parent
        _span_node(tree, node)
    return tree


@kernel
def live_records(tree: Tree, size: int) -> Ints:
    """The records still in the tree, in tree order."""
    found = np.empty(size, np.int32)
    count = 0
    for leaf in range(tree.filled.size):
        for slot in range(tree.filled[leaf]):
            found[count] = tree.records[leaf, slot]
            count += 1
    return found


@kernel
def _shrink_leaf(tree: Tree, leaf: int) -> None:
    box = tree.boxes[tree.leaf_node[leaf]]
    filled = tree.filled[leaf]
    for j in range(box.shape[1]):
        # An empty box is inside out: infinitely far from everything, so nothing is near it.
        low, high = np.inf, -np.inf
        for slot in range(filled):
            value = tree.coordinates[leaf, j, slot]
            low = min(low, value)
            high = max(high, value)
        box[0, j] = low
        box[1, j] = high
    _span_node(tree, tree.leaf_node[leaf])


@kernel
def _shrink_above(tree: Tree, leaf: int) -> None:
    node = tree.parent[tree.leaf_node[leaf]]
    while node >= 0:
        box = tree.boxes[node]
        left, right = tree.boxes[tree.child[node]], tree.boxes[tree.child[node] + 1]
        changed = _span_node(tree, node)
        for j in range(box.shape[1]):
            low, high = min(left[0, j], right[0, j]), max(left[1, j], right[1, j])
            changed |= low != box[0, j] or high != box[1, j]
            box[0, j] = low
            box[1, j] = high
        if not changed:
            return
        node = tree.parent[node]


@kernel
def drop_record(tree: Tree, record: int) -> int:
    """Take a record out without shrinking; the leaf whose box is now too wide, or −1."""
    leaf, slot = tree.where[record] // LEAF, tree.where[record] % LEAF
    tree.where[record] = -1
    tree.filled[leaf] -= 1
    last = tree.filled[leaf]
    # A span alone may stay too wide: it matters among twins, and every twin is on the edge.
    on_edge = False
    box = tree.boxes[tree.leaf_node[leaf]]
    block = tree.coordinates[leaf]
    for j in range(block.shape[0]):
        on_edge |= block[j, slot] == box[0, j] or block[j, slot] == box[1, j]
        block[j, slot] = block[j, last]
        block[j, last] = block[j, 0]
    if slot != last:
        moved = tree.records[leaf, last]
        tree.records[leaf, slot] = moved
        tree.where[moved] = leaf * LEAF + slot
    return leaf if on_edge else -1


@kernel
def remove_record(tree: Tree, record: int) -> None:
    """Take a record out and shrink the boxes around it."""
    leaf = drop_record(tree, record)
    if leaf >= 0:
        _shrink_leaf(tree, leaf)
        _shrink_above(tree, leaf)


@kernel
def leaf_distances(tree: Tree, leaf: int, query: Floats, lane: Floats) -> None:
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
    """Whether entry `first` is farther than `second`, or as far with the smaller index."""
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
def _offer(search: Search, wanted: int, distance: float, record: int) -> None:
    """Keep a record if it belongs to the `wanted` nearest so far (ties: the larger index)."""
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
    node = 0
    while 2 * node + 1 < wanted:
        below = 2 * node + 1
        if below + 1 < wanted and _worse(search, below + 1, below):
            below += 1
        if not _worse(search, below, node):
            return
        _exchange(search, below, node)
        node = below


@kernel
def offer_lane(tree: Tree, leaf: int, search: Search, wanted: int) -> None:
    """Offer the live records of the leaf whose distances are in `lane` to a search."""
    for slot in range(tree.filled[leaf]):
        distance = search.lane[slot]
        if search.state[0] < wanted or distance <= search.distances[0]:
            _offer(search, wanted, distance, tree.records[leaf, slot])


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
def nearest_records(tree: Tree, search: Search, query: Floats, wanted: int) -> None:
    """Leave the `wanted` nearest live records in `search`; ties go to the larger index."""
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
def farthest_record(tree: Tree, search: Search, query: Floats, mirror: Floats, reach: float) -> int:
    """The live record farthest from the query (ties: smallest index), or −1 in an empty tree.

    Records within a ball leave a query q only |p−q|² + |p−m|² ≤ reach, m being q mirrored at the
    centre and reach = 2·radius² + 2·|q−centre|² (the parallelogram law), so a box far from m is
    out at once. Stretch reach a little against rounding; infinity if there is no such ball.
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
