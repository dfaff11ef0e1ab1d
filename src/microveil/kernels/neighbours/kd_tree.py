"""A k-d tree with removal of records.

Leaves have `LEAF` slots, with coordinates stored by column so that a leaf is compared with vector
instructions. When a record is removed, the boxes above it shrink. Distances to boxes are rounded in
the same order as distances to records, so a bound never exceeds (or falls below) what it bounds,
and results are exactly those of a scan, ties included. Each node stores the range of its indices:
among thousands of duplicates the one that wins a tie is found without visiting the others.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.cores import n_threads, shared_pool
from microveil.kernels.jit import kernel

LEAF = 8
ON_CORES_FROM = 50_000
"""Records from which several threads build a tree."""
_NOBODY = 2**31 - 1


class KdTree(NamedTuple):
    """Arrays of one tree; `where` is indexed by record, negative once the record is removed.

    A record that is marked only is still in its leaf; its place is then given as the complement.
    """

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
    everyone = np.arange(len(points), dtype=np.int32)
    threads = n_threads()
    if threads == 1 or len(points) < ON_CORES_FROM:
        return build_tree_over(points, everyone)
    from microveil.kernels.neighbours.kd_tree_on_cores import build_parted_tree

    with shared_pool(threads) as pool:
        return build_parted_tree(points, everyone, pool).tree


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
def new_tree(points: Floats, n_live: int) -> KdTree:
    """The arrays of a tree over so many of the points, its root not yet cut."""
    leaves, d = (n_live + LEAF - 1) // LEAF, points.shape[1]
    return KdTree(
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


@kernel
def cut_node(tree: KdTree, rows: Floats, records: Ints, part: Longs, halves: Longs) -> None:
    """Divide the rows of a node between two children, or store them if they are one leaf.

    A part is a node, its first leaf, its number of leaves and the first number of a node below it:
    parts have numbers of their own, so that the tree is the same in whatever order they are cut.
    """
    node, first, number, below = part[0], part[1], part[2], part[3]
    start, stop = first * LEAF, min((first + number) * LEAF, rows.shape[0])
    column = _widest_column(rows, start, stop, tree.boxes[node])
    if number == 1:
        tree.child[node] = ~first
        tree.leaf_node[first] = node
        _fill_leaf(tree, first, rows, records)
        return
    half = (number + 1) // 2
    _select(rows, records, column, (start, (first + half) * LEAF, stop))
    tree.child[node] = below
    for side in range(2):
        tree.parent[below + side] = node
        halves[side, 0] = below + side
        halves[side, 1] = first + side * half
        halves[side, 2] = half if side == 0 else number - half
        halves[side, 3] = below + 2 if side == 0 else below + 2 * half


@kernel
def grow_part(tree: KdTree, rows: Floats, records: Ints, part: Longs) -> None:
    """Cut a node and all nodes below it."""
    pending = np.empty((128, 4), np.int64)
    pending[0] = part
    depth = 1
    while depth > 0:
        depth -= 1
        leaves = pending[depth, 2]
        cut_node(tree, rows, records, pending[depth].copy(), pending[depth : depth + 2])
        depth += 0 if leaves == 1 else 2
    # Children have larger numbers than their parent.
    for node in range(part[3] + 2 * part[2] - 3, part[3] - 1, -1):
        _span_node(tree, node)
    _span_node(tree, part[0])


@kernel
def build_tree_over(points: Floats, live: Ints) -> KdTree:
    """Tree over the rows of `points` listed in `live`; the other records count as removed."""
    tree = new_tree(points, live.size)
    grow_part(tree, points[live], live.copy(), np.array([0, 0, tree.filled.size, 1]))
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
def _shrink_node(tree: KdTree, node: int) -> bool:
    """Set the box and the index range of a node from its children; whether they changed."""
    box = tree.boxes[node]
    left, right = tree.boxes[tree.child[node]], tree.boxes[tree.child[node] + 1]
    changed = _span_node(tree, node)
    for j in range(box.shape[1]):
        low, high = min(left[0, j], right[0, j]), max(left[1, j], right[1, j])
        changed |= low != box[0, j] or high != box[1, j]
        box[0, j] = low
        box[1, j] = high
    return bool(changed)


@kernel
def _shrink_up_to(tree: KdTree, leaf: int, top: int) -> None:
    """Shrink a leaf and the nodes above it, no farther than one of them."""
    _shrink_leaf(tree, leaf)
    node = tree.leaf_node[leaf]
    while node != top:
        node = tree.parent[node]
        if not _shrink_node(tree, node):
            return


@kernel
def mark_record(tree: KdTree, record: int) -> None:
    """Count a record as removed and leave it in its leaf, for others may be reading that."""
    tree.where[record] = ~tree.where[record]


@kernel
def drop_record(tree: KdTree, record: int) -> int:
    """Remove a record without shrinking; return the leaf whose box is now too wide, or −1."""
    place = tree.where[record]
    if place < 0:
        place = ~place
    leaf, slot = place // LEAF, place % LEAF
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
        place = leaf * LEAF + slot
        tree.where[moved] = place if tree.where[moved] >= 0 else ~place
    return leaf if on_edge else -1


@kernel
def remove_record(tree: KdTree, record: int) -> None:
    """Remove a record and shrink the boxes around it."""
    leaf = drop_record(tree, record)
    if leaf >= 0:
        _shrink_up_to(tree, leaf, 0)


@kernel
def drop_from_part(tree: KdTree, part: Longs, records: Ints) -> None:
    """Remove those of some marked records that lie below a node, up to which boxes are shrunk."""
    start, stop = part[1] * LEAF, (part[1] + part[2]) * LEAF
    for record in records:
        place = ~tree.where[record]
        if start <= place < stop:
            leaf = drop_record(tree, record)
            if leaf >= 0:
                _shrink_up_to(tree, leaf, part[0])


@kernel
def shrink_tops(tree: KdTree, tops: Longs) -> None:
    """Shrink some nodes, all of them inner ones and those below others first."""
    for node in tops:
        _shrink_node(tree, node)
