"""Equivalence classes that change record by record, with the price of each change.

A class publishes, for each key, the lowest label that covers all its records; every record bears
the cost of these labels. A price is a change in total cost; negative is better.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.recoding.trees import Trees, common_cost


class Parts(NamedTuple):
    """What is assigned to classes: each part is a number of identical records."""

    codes: Ints  # (parts, keys)
    weights: Longs  # records of each part
    values: Ints  # (parts, columns) sensitive values, if there are requirements on them


class Recoding(NamedTuple):
    """The assignment of rows to classes. A row stands for `weights` records with the same keys."""

    codes: Ints  # (rows, keys)
    weights: Longs
    values: Ints  # (rows, columns) sensitive values, if there are requirements on them
    labels: Ints  # class of each row
    following: Ints  # next and previous row of the same class; −1 at the ends
    leading: Ints
    head: Ints  # first row of each class
    size: Longs  # records of each class
    ends: Ints  # (classes, keys, 4): smallest, second smallest, second largest, largest code
    cost: Floats  # cost per record of each class
    amounts: Longs  # (classes, values) records of each class with each sensitive value
    state: Longs  # [classes in use]


@kernel
def open_recoding(parts: Parts, labels: Ints, trees: Trees, room: int, n_values: int) -> Recoding:
    """The assignment to classes 0..max, with room for more classes."""
    n, m = parts.codes.shape
    n_classes = labels.max() + 1
    recoding = Recoding(
        parts.codes,
        parts.weights,
        parts.values,
        labels.copy(),
        np.full(n, -1, np.int32),
        np.full(n, -1, np.int32),
        np.full(n_classes + room, -1, np.int32),
        np.zeros(n_classes + room, np.int64),
        np.zeros((n_classes + room, m, 4), np.int32),
        np.zeros(n_classes + room),
        np.zeros((n_classes + room, n_values), np.int64),
        np.array([n_classes], dtype=np.int64),
    )
    for row in range(n - 1, -1, -1):
        _link(recoding, row, labels[row])
    for one in range(n_classes):
        look_again(recoding, trees, one)
    return recoding


@kernel
def _link(recoding: Recoding, row: int, one: int) -> None:
    first = recoding.head[one]
    recoding.labels[row] = one
    recoding.following[row], recoding.leading[row] = first, -1
    if first >= 0:
        recoding.leading[first] = row
    recoding.head[one] = row
    recoding.size[one] += recoding.weights[row]
    for column in range(recoding.values.shape[1]):
        recoding.amounts[one, recoding.values[row, column]] += recoding.weights[row]


@kernel
def _unlink(recoding: Recoding, row: int) -> None:
    one = recoding.labels[row]
    before, after = recoding.leading[row], recoding.following[row]
    if before >= 0:
        recoding.following[before] = after
    else:
        recoding.head[one] = after
    if after >= 0:
        recoding.leading[after] = before
    recoding.size[one] -= recoding.weights[row]
    for column in range(recoding.values.shape[1]):
        recoding.amounts[one, recoding.values[row, column]] -= recoding.weights[row]


@kernel
def _widen(ends: Ints, code: int) -> None:
    if code < ends[0]:
        ends[0], ends[1] = code, ends[0]
    elif code < ends[1]:
        ends[1] = code
    if code > ends[3]:
        ends[3], ends[2] = code, ends[3]
    elif code > ends[2]:
        ends[2] = code


@kernel
def _price_labels(recoding: Recoding, trees: Trees, one: int) -> None:
    total = 0.0
    for j in range(recoding.codes.shape[1]):
        total += common_cost(trees, j, recoding.ends[one, j, 0], recoding.ends[one, j, 3])
    recoding.cost[one] = total


@kernel
def look_again(recoding: Recoding, trees: Trees, one: int) -> None:
    """Recompute the ends of a non-empty class."""
    for j in range(recoding.codes.shape[1]):
        ends = recoding.ends[one, j]
        row = recoding.head[one]
        code = recoding.codes[row, j]
        ends[0] = ends[3] = code
        # A row of several records, like a row that is alone, keeps its end by itself.
        alone = recoding.weights[row] > 1 or recoding.following[row] < 0
        ends[1] = code if alone else np.int32(2**31 - 1)
        ends[2] = code if alone else np.int32(-1)
        row = recoding.following[row]
        while row >= 0:
            _widen(ends, recoding.codes[row, j])
            if recoding.weights[row] > 1:
                _widen(ends, recoding.codes[row, j])
            row = recoding.following[row]
    _price_labels(recoding, trees, one)


@kernel
def cost_without(recoding: Recoding, trees: Trees, row: int) -> float:
    """Cost per record of a row's class without the row."""
    one = recoding.labels[row]
    total = 0.0
    for j in range(recoding.codes.shape[1]):
        ends, code = recoding.ends[one, j], recoding.codes[row, j]
        low = ends[1] if code == ends[0] else ends[0]
        high = ends[2] if code == ends[3] else ends[3]
        total += common_cost(trees, j, low, high)
    return total


@kernel
def cost_with(recoding: Recoding, trees: Trees, row: int, one: int) -> float:
    """Cost per record of a class with one more row."""
    total = 0.0
    for j in range(recoding.codes.shape[1]):
        code = recoding.codes[row, j]
        low = min(recoding.ends[one, j, 0], code)
        high = max(recoding.ends[one, j, 3], code)
        total += common_cost(trees, j, low, high)
    return total


@kernel
def cost_instead(recoding: Recoding, trees: Trees, row: int, other: int) -> float:
    """Cost per record of a row's class with the other row in its place."""
    one = recoding.labels[row]
    total = 0.0
    for j in range(recoding.codes.shape[1]):
        ends, code, new = recoding.ends[one, j], recoding.codes[row, j], recoding.codes[other, j]
        low = min(ends[1] if code == ends[0] else ends[0], new)
        high = max(ends[2] if code == ends[3] else ends[3], new)
        total += common_cost(trees, j, low, high)
    return total


@kernel
def price_of_leaving(recoding: Recoding, trees: Trees, row: int) -> float:
    """Change in cost when a row leaves a class that continues to exist."""
    one = recoding.labels[row]
    size = recoding.size[one]
    left = size - recoding.weights[row]
    return float(left * cost_without(recoding, trees, row) - size * recoding.cost[one])


@kernel
def price_of_joining(recoding: Recoding, trees: Trees, row: int, one: int) -> float:
    """Change in cost when a row joins an existing class."""
    size = recoding.size[one]
    grown = size + recoding.weights[row]
    return float(grown * cost_with(recoding, trees, row, one) - size * recoding.cost[one])


@kernel
def price_of_swap(recoding: Recoding, trees: Trees, row: int, other: int) -> float:
    """Change in cost when two rows of equal weight and different classes are swapped."""
    one, two = recoding.labels[row], recoding.labels[other]
    there = cost_instead(recoding, trees, other, row) - recoding.cost[two]
    here = cost_instead(recoding, trees, row, other) - recoding.cost[one]
    return float(recoding.size[one] * here + recoding.size[two] * there)


@kernel
def _held_an_end(recoding: Recoding, row: int, one: int) -> bool:
    """Whether removing a row may change a class's two smallest or largest codes."""
    for j in range(recoding.codes.shape[1]):
        ends, code = recoding.ends[one, j], recoding.codes[row, j]
        if ends[0] != ends[3] and (code <= ends[1] or code >= ends[2]):
            return True
    return False


@kernel
def move_row(recoding: Recoding, trees: Trees, row: int, one: int) -> None:
    """Move a row to another class; its old class may be empty afterwards."""
    old = recoding.labels[row]
    send_row(recoding, trees, row, one)
    if recoding.head[old] < 0:
        recoding.cost[old] = 0.0
    elif _held_an_end(recoding, row, old):
        look_again(recoding, trees, old)


@kernel
def send_row(recoding: Recoding, trees: Trees, row: int, one: int) -> None:
    """Move a row to another class without updating the labels of the old one."""
    _unlink(recoding, row)
    empty = recoding.head[one] < 0
    _link(recoding, row, one)
    if empty or recoding.following[recoding.following[row]] < 0:
        look_again(recoding, trees, one)
        return
    for j in range(recoding.codes.shape[1]):
        _widen(recoding.ends[one, j], recoding.codes[row, j])
        if recoding.weights[row] > 1:
            _widen(recoding.ends[one, j], recoding.codes[row, j])
    _price_labels(recoding, trees, one)


@kernel
def close_gap(recoding: Recoding, one: int) -> None:
    """Renumber the last class to fill the place of an emptied one."""
    last = recoding.state[0] - 1
    recoding.state[0] = last
    if one == last:
        return
    row = recoding.head[last]
    while row >= 0:
        recoding.labels[row] = one
        row = recoding.following[row]
    recoding.head[one], recoding.head[last] = recoding.head[last], -1
    recoding.size[one], recoding.size[last] = recoding.size[last], 0
    recoding.cost[one], recoding.cost[last] = recoding.cost[last], 0.0
    recoding.ends[one] = recoding.ends[last]
    recoding.amounts[one] = recoding.amounts[last]
    recoding.amounts[last] = 0


@kernel
def total_cost(recoding: Recoding) -> float:
    """Total cost over all records."""
    total = 0.0
    for one in range(recoding.state[0]):
        total += recoding.size[one] * recoding.cost[one]
    return total
