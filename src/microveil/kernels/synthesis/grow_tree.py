"""Classification and regression trees on predictors with at most 256 ordered levels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microveil.arrays import Bytes, Floats, Ints
from microveil.cores import blocks_of, map_on_cores
from microveil.kernels.jit import kernel
from microveil.kernels.synthesis.best_cut import Desk, Target, best_cut, desk, explained_by_node

UNLIMITED = 1 << 30
_BLOCK = 1 << 15
"""Records whose leaves one thread finds at a time."""


class Growth(NamedTuple):
    """When a tree stops growing."""

    least_leaf: int
    """Smallest number of records on each side of a split."""
    least_gain: float = 0.0
    """What a split must explain, in squared units of the number, or in records for classes."""
    most_depth: int = UNLIMITED
    """Largest number of splits between the root and a leaf."""


class DecisionTree(NamedTuple):
    """Nodes in order of creation, level by level; the root comes first."""

    feature: Ints
    """Predictor a node splits by; −1 for a leaf."""
    threshold: Ints
    """Records with this level or a lower one go left."""
    left: Ints
    """Left child; the right one follows it."""
    start: Ints
    """First of the node's records in ``rows``."""
    end: Ints
    """One past the last."""
    rows: Ints
    """Records, grouped by node."""


def grow_classes(levels: Bytes, classes: Ints, n_classes: int, growth: Growth) -> DecisionTree:
    """Classification tree by the Gini index; ``levels`` is (predictors, records).

    Ties go to the first split. Time grows with records × predictors × depth, whatever the number
    of classes.

    >>> levels = np.array([[0, 0, 1, 1]], dtype=np.uint8)
    >>> tree = grow_classes(levels, np.array([0, 0, 1, 1], dtype=np.int32), 2, Growth(2))
    >>> tree.feature.tolist(), tree.rows.tolist()
    ([0, -1, -1], [0, 1, 2, 3])
    """
    classes = np.ascontiguousarray(classes, dtype=np.int32)
    return _tree(levels, Target(classes, np.empty(0), n_classes), growth)


def grow_numbers(levels: Bytes, numbers: Floats, growth: Growth) -> DecisionTree:
    """Regression tree; each split reduces the squared error the most.

    >>> levels = np.array([[0, 1, 2, 3]], dtype=np.uint8)
    >>> grow_numbers(levels, np.array([1.0, 1.0, 5.0, 5.0]), Growth(1)).threshold.tolist()
    [1, 0, 0]
    """
    numbers = np.ascontiguousarray(numbers, dtype=np.float64)
    return _tree(levels, Target(np.empty(0, dtype=np.int32), numbers, 0), growth)


def find_leaves(tree: DecisionTree, levels: Bytes) -> Ints:
    """Leaf that each record falls into."""
    leaves = np.zeros(levels.shape[1], dtype=np.int32)
    levels = np.ascontiguousarray(levels)
    map_on_cores(
        lambda ends: _find_leaves(tree, levels, leaves, *ends), blocks_of(leaves.size, _BLOCK)
    )
    return leaves


def _tree(levels: Bytes, target: Target, growth: Growth) -> DecisionTree:
    n = levels.shape[1]
    rows = np.arange(n, dtype=np.int32)
    nodes = np.zeros((6, 2 * (n // max(growth.least_leaf, 1)) + 1), dtype=np.int32)
    levels = np.ascontiguousarray(levels)
    n_nodes = _grow(levels, target, growth, rows, nodes, desk(n, target.n_classes))
    feature, threshold, left, start, end, _ = np.ascontiguousarray(nodes[:, :n_nodes])
    return DecisionTree(feature, threshold, left, start, end, rows)


@kernel
def _grow(
    levels: Bytes, target: Target, growth: Growth, rows: Ints, nodes: Ints, desk: Desk
) -> int:
    """Split node after node; ``nodes`` has feature, threshold, left, start, end and depth."""
    nodes[0, 0], nodes[4, 0] = -1, levels.shape[1]
    n_nodes, node = 1, 0
    while node < n_nodes:
        start, end, depth = nodes[3, node], nodes[4, node], nodes[5, node]
        here = rows[start:end]
        feature, threshold = -1, 0
        if len(here) >= 2 * growth.least_leaf and depth < growth.most_depth:
            feature, threshold = _best_split(levels, target, growth, here, desk)
        if feature >= 0:
            middle = start + _partition(levels[feature], threshold, here, desk.order)
            nodes[0, node], nodes[1, node], nodes[2, node] = feature, threshold, n_nodes
            for child in range(2):
                nodes[0, n_nodes], nodes[5, n_nodes] = -1, depth + 1
                nodes[3, n_nodes] = start if child == 0 else middle
                nodes[4, n_nodes] = middle if child == 0 else end
                n_nodes += 1
        node += 1
    return n_nodes


@kernel
def _best_split(
    levels: Bytes, target: Target, growth: Growth, rows: Ints, desk: Desk
) -> tuple[int, int]:
    """Predictor and level that explain most; −1 if nothing explains enough."""
    if _all_equal(target, rows):
        return -1, 0
    # A gain within rounding error is no gain.
    base = explained_by_node(target, rows, desk.tally)
    best, feature, threshold = base + max(growth.least_gain, 1e-12 * abs(base)), -1, 0
    for f in range(levels.shape[0]):
        found, cut = best_cut(levels[f], target, rows, growth.least_leaf, desk)
        if cut >= 0 and found > best:
            best, feature, threshold = found, f, cut
    return feature, threshold


@kernel
def _all_equal(target: Target, rows: Ints) -> bool:
    first = rows[0]
    for row in rows:
        if target.n_classes > 0:
            if target.classes[row] != target.classes[first]:
                return False
        elif target.numbers[row] != target.numbers[first]:
            return False
    return True


@kernel
def _partition(levels: Bytes, threshold: int, rows: Ints, spare: Ints) -> int:
    """Move the records that go left to the front; both sides keep their order."""
    n_left, n_right = 0, 0
    for i in range(len(rows)):
        row = rows[i]
        if levels[row] <= threshold:
            rows[n_left] = row
            n_left += 1
        else:
            spare[n_right] = row
            n_right += 1
    for i in range(n_right):  # one by one: a block assignment takes a second to compile
        rows[n_left + i] = spare[i]
    return n_left


@kernel
def _find_leaves(tree: DecisionTree, levels: Bytes, leaves: Ints, start: int, end: int) -> None:
    for i in range(start, end):
        node = 0
        while tree.feature[node] >= 0:
            beyond = levels[tree.feature[node], i] > tree.threshold[node]
            node = tree.left[node] + (1 if beyond else 0)
        leaves[i] = node
