"""Distances over mixed columns with missing cells, and a tree of bounding boxes.

The tree has the shape of `kd_tree` over imputed coordinates. Boxes are recomputed over the cells
that are present, with a flag for missing ones, so that each column may have its own distance:
squared differences, a cost for a different category, a cost beyond a width, or a table. Sums are
always taken in column order: the bound of a box never exceeds the distance of a record inside,
rounding included.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.cores import blocks_of, map_on_cores
from microveil.kernels.jit import kernel
from microveil.kernels.neighbours.kd_tree import LEAF, build_tree

NUMBER, NOMINAL, WITHIN, ABSOLUTE, TABLE, SPAN, ABSOLUTE_SPAN, WITHIN_SPAN = range(8)
BLOCK = 1 << 11
"""Nodes whose boxes a thread draws at a time."""


class Metric(NamedTuple):
    """Distance between two cells of each column; the columns' distances add up."""

    kinds: Ints
    """NUMBER: squared difference. ABSOLUTE: absolute difference. NOMINAL: `costs` if codes differ.
    WITHIN: `costs` if farther apart than `widths`. TABLE: `tables[starts + code · strides + code of
    the record]`. SPAN: the record's code names a row (low, high, cost inside) of `tables`; a number
    outside the span costs its squared distance to it, and `costs` if the span is unknown.
    ABSOLUTE_SPAN: the same without the square. WITHIN_SPAN: `costs` outside the span."""
    costs: Floats
    widths: Floats
    missing: Floats
    """Distance between a missing and a present cell; two missing cells are equal."""
    tables: Floats
    starts: Longs
    strides: Longs


class MixedTree(NamedTuple):
    """Boxes over records; `coordinates` may hold NaN, which is missing."""

    coordinates: Floats  # (leaves, columns, LEAF)
    records: Ints  # (leaves, LEAF)
    filled: Ints  # slots in use per leaf
    boxes: Floats  # (nodes, 2, columns): corners over present cells, inverted if there is none
    gaps: Ints  # (nodes, columns): whether a cell is missing
    child: Ints  # first of two neighbouring children, or ~leaf
    parent: Ints
    leaf_node: Ints
    leaf_of: Ints  # (records): the leaf it lies in
    weights: Longs  # (nodes): how many rows the records inside stand for
    record_weights: Longs


def number_metric(n_columns: int) -> Metric:
    """Squared differences in every column, nothing missing.

    >>> number_metric(2).kinds.tolist()
    [0, 0]
    """
    zeros = np.zeros(n_columns)
    places = np.zeros(n_columns, np.int64)
    return Metric(np.zeros(n_columns, np.int32), zeros, zeros, zeros, zeros, places, places)


def build_mixed_tree(points: Floats, weights: Longs) -> MixedTree:
    """Tree over the rows of `points`, each of which represents `weights` rows.

    >>> tree = build_mixed_tree(np.array([[0.0], [np.nan], [5.0]]), np.array([1, 2, 1]))
    >>> tree.boxes[0].tolist(), tree.gaps[0].tolist(), int(tree.weights[0])
    ([[0.0], [5.0]], [1], 4)
    """
    points = np.ascontiguousarray(points, dtype=np.float64)
    shape = build_tree(np.nan_to_num(points, nan=0.0))
    nodes, d = len(shape.child), points.shape[1]
    tree = MixedTree(
        np.empty_like(shape.coordinates),
        shape.records,
        shape.filled,
        np.empty((nodes, 2, d)),
        np.zeros((nodes, d), np.int32),
        shape.child,
        shape.parent,
        shape.leaf_node,
        shape.where // LEAF,
        np.zeros(nodes, np.int64),
        np.ascontiguousarray(weights, dtype=np.int64),
    )
    blocks = blocks_of(nodes, BLOCK)
    map_on_cores(lambda block: _draw_leaves(tree, points, *block), blocks)
    _draw_inner(tree)
    return tree


@kernel
def _draw_leaves(tree: MixedTree, points: Floats, begin: int, end: int) -> None:
    """Fill in the leaves among some nodes, and their boxes."""
    d = points.shape[1]
    for node in range(begin, end):
        leaf = ~tree.child[node]
        box = tree.boxes[node]
        box[0, :] = np.inf
        box[1, :] = -np.inf
        if leaf < 0:
            continue
        for slot in range(LEAF):
            record = tree.records[leaf, slot]
            live = slot < tree.filled[leaf]
            if live:
                tree.weights[node] += tree.record_weights[record]
            for j in range(d):
                value = points[record, j]
                tree.coordinates[leaf, j, slot] = value
                if not live:
                    continue
                if np.isnan(value):
                    tree.gaps[node, j] = 1
                else:
                    box[0, j] = min(box[0, j], value)
                    box[1, j] = max(box[1, j], value)


@kernel
def _draw_inner(tree: MixedTree) -> None:
    """The boxes of the nodes above the leaves, from those of their children."""
    for node in range(tree.child.size - 1, -1, -1):  # children have larger numbers
        child = tree.child[node]
        if child < 0:
            continue
        box = tree.boxes[node]
        tree.weights[node] = tree.weights[child] + tree.weights[child + 1]
        for side in range(2):
            for j in range(box.shape[1]):
                box[0, j] = min(box[0, j], tree.boxes[child + side, 0, j])
                box[1, j] = max(box[1, j], tree.boxes[child + side, 1, j])
                tree.gaps[node, j] |= tree.gaps[child + side, j]


# Distances leave by one return and call nothing: otherwise machine code counts references to
# every array of the metric for each cell, which takes fifty times as long as the distance itself.


@kernel
def cells_apart(metric: Metric, j: int, first: float, second: float) -> float:
    """Distance between two cells of column `j`: `first` the query's, `second` the record's."""
    kind = metric.kinds[j]
    if np.isnan(first) or np.isnan(second):
        apart = 0.0 if np.isnan(first) and np.isnan(second) else metric.missing[j]
    elif kind == NUMBER:
        apart = (second - first) * (second - first)
    elif kind == ABSOLUTE:
        apart = abs(second - first)
    elif kind == NOMINAL:
        apart = 0.0 if first == second else metric.costs[j]
    elif kind == WITHIN:
        apart = 0.0 if abs(second - first) <= metric.widths[j] else metric.costs[j]
    elif kind == TABLE:
        place = metric.starts[j] + np.int64(first) * metric.strides[j]
        apart = metric.tables[place + np.int64(second)]
    else:
        place = metric.starts[j] + np.int64(second) * metric.strides[j]
        low, inside = metric.tables[place], metric.tables[place + 2]
        gap = max(low - first, first - metric.tables[place + 1])
        if np.isnan(low) or (kind == WITHIN_SPAN and gap > 0.0):
            apart = metric.costs[j]
        elif kind == WITHIN_SPAN:
            apart = 0.0
        elif gap <= 0.0:
            apart = inside
        else:
            apart = max(gap if kind == ABSOLUTE_SPAN else gap * gap, 2 * inside)
    return float(apart)


@kernel
def rows_apart(metric: Metric, first: Floats, second: Floats) -> float:
    """Distance between a query and a record."""
    total = 0.0
    for j in range(first.size):
        total += cells_apart(metric, j, first[j], second[j])
    return total


@kernel
def least_apart(tree: MixedTree, metric: Metric, node: int, query: Floats) -> float:
    """Lower bound of the distance between the query and any record below the node."""
    total = 0.0
    for j in range(query.size):
        low, high, value = tree.boxes[node, 0, j], tree.boxes[node, 1, j], query[j]
        gap, kind = max(low - value, value - high), metric.kinds[j]
        if np.isnan(value):
            apart = metric.missing[j] if tree.gaps[node, j] == 0 else 0.0
        else:
            if low > high:
                apart = np.inf
            elif gap <= 0.0 or kind >= TABLE:
                apart = 0.0
            elif kind == NUMBER:
                apart = gap * gap
            elif kind == ABSOLUTE:
                apart = gap
            elif kind == NOMINAL:
                apart = metric.costs[j]
            else:
                apart = 0.0 if gap <= metric.widths[j] else metric.costs[j]
            if tree.gaps[node, j] == 1:
                apart = min(apart, metric.missing[j])
        total += apart
    return total


@kernel
def most_apart(tree: MixedTree, metric: Metric, node: int, query: Floats) -> float:
    """Upper bound of the distance between the query and any record below the node."""
    total = 0.0
    for j in range(query.size):
        low, high, value = tree.boxes[node, 0, j], tree.boxes[node, 1, j], query[j]
        gap, kind = max(value - low, high - value), metric.kinds[j]
        if np.isnan(value):
            apart = metric.missing[j] if low <= high else 0.0
        else:
            if low > high:
                apart = 0.0
            elif kind == NUMBER:
                apart = gap * gap
            elif kind == ABSOLUTE:
                apart = gap
            elif kind == NOMINAL:
                apart = 0.0 if gap == 0.0 else metric.costs[j]
            elif kind == WITHIN:
                apart = 0.0 if gap <= metric.widths[j] else metric.costs[j]
            else:
                apart = np.inf
            if tree.gaps[node, j] == 1:
                apart = max(apart, metric.missing[j])
        total += apart
    return total
