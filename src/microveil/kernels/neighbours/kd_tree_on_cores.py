"""Build a k-d tree and keep it tight on several threads: each has subtrees of its own."""

from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.cores import n_threads
from microveil.kernels.jit import kernel
from microveil.kernels.neighbours.kd_tree import (
    LEAF,
    KdTree,
    cut_node,
    drop_from_part,
    grow_part,
    live_records,
    new_tree,
    shrink_tops,
)

# Subtrees of a tree: enough for some tens of threads, few enough for the threads' bookkeeping.
_PARTS = 64


class PartedTree(NamedTuple):
    """A tree, the parts that threads work on, and the nodes above them, lowest first."""

    tree: KdTree
    parts: Longs
    tops: Longs


@kernel
def _cut_top(tree: KdTree, rows: Floats, records: Ints, part: Longs) -> Longs:
    halves = np.empty((2, 4), np.int64)
    cut_node(tree, rows, records, part, halves)
    return halves


@kernel
def _rows_of(points: Floats, live: Ints) -> Floats:
    return points[live]


def build_parted_tree(points: Floats, live: Ints, pool: Executor) -> PartedTree:
    """The tree of :func:`~microveil.kernels.neighbours.kd_tree.build_tree_over`, by threads."""
    tree, rows, records = new_tree(points, len(live)), _rows_of(points, live), live.copy()
    parts = np.array([[0, 0, len(tree.filled), 1]])
    tops: list[int] = []
    while len(parts) < _PARTS and (parts[:, 2] > 1).all():
        cut = pool.map(lambda part: _cut_top(tree, rows, records, part), parts)
        tops += parts[:, 0].tolist()
        parts = np.concatenate(list(cut))
    list(pool.map(lambda part: grow_part(tree, rows, records, part), parts))
    parted = PartedTree(tree, parts, np.array(tops[::-1], dtype=np.int64))
    shrink_tops(tree, parted.tops)
    return parted


def rebuild(parted: PartedTree, points: Floats, n_live: int, pool: Executor) -> PartedTree:
    """A new tree over the records that are still in one."""
    return build_parted_tree(points, live_records(parted.tree, n_live), pool)


def drop_on_cores(parted: PartedTree, records: Ints, pool: Executor) -> None:
    """Remove marked records from the tree, each part on one thread."""
    places = ~parted.tree.where[records]
    part = np.searchsorted(parted.parts[:, 1], places // LEAF, side="right") - 1
    order = np.argsort(part, kind="stable")
    records = records[order]
    bounds = np.searchsorted(part[order], np.arange(len(parted.parts) + 1))

    def drop(numbers: range) -> None:
        for number in numbers:
            mine = records[bounds[number] : bounds[number + 1]]
            drop_from_part(parted.tree, parted.parts[number], mine)

    n_tasks = min(2 * n_threads(), len(parted.parts))
    list(pool.map(drop, [range(start, len(parted.parts), n_tasks) for start in range(n_tasks)]))
    shrink_tops(parted.tree, parted.tops)
