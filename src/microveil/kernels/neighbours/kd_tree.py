"""A k-d tree with removal of records.

Leaves have `LEAF` slots, with coordinates stored by column so that a leaf is compared with vector
instructions. When a record is removed, the boxes above it shrink. Distances to boxes are rounded in
the same order as distances to records, so a bound never exceeds (or falls below) what it bounds,
and results are exactly those of a scan, ties included. Each node stores the range of its indices:
among thousands of duplicates the one that wins a tie is found without visiting the others.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints
from microveil.kernels.jit import kernel

LEAF = 8
_NOBODY = 2**31 - 1


class KdTree(NamedTuple):
    """Arrays of one tree; `where` is indexed by record, −1 once the record is removed."""

    coordinates: Floats  # (leaves, columns, LEAF)
    records: Ints  # (leaves, LEAF)
    filled: Ints  # live slots per leaf
    where: Ints  # leaf * LEAF + slot
    boxes: Floats  # (nodes, 2, columns): lower and upper corner
    spans: Ints  # (nodes, 2): smallest and largest index of a live record
    child: Ints  # first of two neighbouring children, or ~leaf
    parent: Ints
    leaf_node: Ints


def build_tree(points: Floats) -> KdTree:
    """Tree over the rows of `points`.

    >>> tree = build_tree(np.array([[0.0], [1.0], [5.0]]))
    >>> live_records(tree, 3).tolist()
    [0, 1, 2]
    """
    return build_tree_over(points, np.arange(len(points), dtype=np.int32))


@kernel
def _select(rows: Floats, records: Ints, column: int, span: tuple[int, int, int]) -> None:
    """Partition rows start..stop so that those before `middle` are not larger in `column`."""
    low, middle, high = span[0], span[1], span[2] - 1
    state = 12345
    while low < high:
        # A pivot from a fixed pseudo-random sequence: no natural order of the data is a worst case.
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
def _fill_leaf(tree: KdTree, leaf: int, rows: Floats, records: Ints) -> None:
    start = leaf * LEAF
    stop = min(start + LEAF, rows.shape[0])
    tree.filled[leaf] = stop - start
    for slot in range(LEAF):
        # Empty slots repeat the first record, so that arithmetic never sees uninitialised numbers.
        source = start + slot if start + slot < stop else start
        tree.records[leaf, slot] = records[source]
        for j in range(rows.shape[1]):
            tree.coordinates[leaf, j, slot] = rows[source, j]
    for i in range(start, stop):
        tree.where[records[i]] = i


@kernel
def _span_node(tree: KdTree, node: int) -> bool:
    """Set the index range of a node from its contents; whether it changed."""
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
def build_tree_over(points: Floats, live: Ints) -> KdTree:
    """Tree over the rows of `points` listed in `live`; the other records count as removed."""
    n, d = live.size, points.shape[1]
    leaves = (n + LEAF - 1) // LEAF
    tree = KdTree(
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
def live_records(tree: KdTree, size: int) -> Ints:
    """The records still in the tree, in tree order."""
    found = np.empty(size, np.int32)
    count = 0
    for leaf in range(tree.filled.size):
        for slot in range(tree.filled[leaf]):
            found[count] = tree.records[leaf, slot]
            count += 1
    return found


@kernel
def _shrink_leaf(tree: KdTree, leaf: int) -> None:
    box = tree.boxes[tree.leaf_node[leaf]]
    filled = tree.filled[leaf]
    for j in range(box.shape[1]):
        # An empty box is inverted: infinitely far from everything.
        low, high = np.inf, -np.inf
        for slot in range(filled):
            value = tree.coordinates[leaf, j, slot]
            low = min(low, value)
            high = max(high, value)
        box[0, j] = low
        box[1, j] = high
    _span_node(tree, tree.leaf_node[leaf])


@kernel
def _shrink_above(tree: KdTree, leaf: int) -> None:
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
def drop_record(tree: KdTree, record: int) -> int:
    """Remove a record without shrinking; return the leaf whose box is now too wide, or −1."""
    leaf, slot = tree.where[record] // LEAF, tree.where[record] % LEAF
    tree.where[record] = -1
    tree.filled[leaf] -= 1
    last = tree.filled[leaf]
    # An index range alone may stay too wide: it matters only among duplicates, all on the edge.
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
def remove_record(tree: KdTree, record: int) -> None:
    """Remove a record and shrink the boxes around it."""
    leaf = drop_record(tree, record)
    if leaf >= 0:
        _shrink_leaf(tree, leaf)
        _shrink_above(tree, leaf)
