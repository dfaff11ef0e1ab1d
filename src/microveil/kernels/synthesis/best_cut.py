"""The best split of a node's records by one predictor with at most 256 ordered levels.

A split lowers the squared error of numbers by as much as it raises Σ (sum of the numbers)² /
records over both sides; for classes the terms are (sum of the squared counts) / records, as in the
Gini index.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Bytes, Floats, Ints
from microveil.kernels.jit import kernel

Cut = tuple[float, int]
"""What is explained, and the highest level that goes left; −1: no cut is possible."""

N_LEVELS = 256
FEW = 40
"""Nodes of up to this many records use insertion sort; counting levels costs more."""


class Target(NamedTuple):
    """What a tree predicts: classes if there are any, otherwise numbers."""

    classes: Ints
    numbers: Floats
    n_classes: int


class Desk(NamedTuple):
    """Scratch space."""

    order: Ints
    """(records,): a node's records sorted by level."""
    counts: Ints
    """(256,): records of each level."""
    sums: Floats
    """(256,): sums of their numbers."""
    tally: Ints
    """(2, classes): counts of both sides; zero between calls."""
    table: Ints
    """(256, classes): counts of classes by level, if that table is small."""


def desk(n_records: int, n_classes: int) -> Desk:
    """Scratch space for nodes of up to so many records and classes."""
    return Desk(
        np.empty(n_records, dtype=np.int32),
        np.empty(N_LEVELS, dtype=np.int32),
        np.empty(N_LEVELS),
        np.zeros((2, max(n_classes, 1)), dtype=np.int32),
        np.empty((N_LEVELS, n_classes if n_classes <= N_LEVELS else 1), dtype=np.int32),
    )


@kernel
def explained_by_node(target: Target, rows: Ints, tally: Ints) -> float:
    """What a node explains without a cut."""
    if target.n_classes == 0:
        total = 0.0
        for row in rows:
            total += target.numbers[row]
        return total * total / len(rows)
    squares = 0.0
    for row in rows:
        c = target.classes[row]
        squares += 2.0 * tally[0, c] + 1.0
        tally[0, c] += 1
    for row in rows:
        tally[0, target.classes[row]] = 0
    return squares / len(rows)


@kernel
def best_cut(levels: Bytes, target: Target, rows: Ints, least_leaf: int, desk: Desk) -> Cut:
    """The cut that explains most, with enough records on both sides."""
    n, n_classes = len(rows), target.n_classes
    if n_classes == 0 and n > FEW:
        return _cut_numbers_by_level(levels, target.numbers, rows, least_leaf, desk)
    # A table of levels and classes pays off if it has no more cells than the node has records.
    if 0 < n_classes <= desk.table.shape[1] and N_LEVELS * n_classes <= n:
        return _cut_classes_by_level(levels, target.classes, rows, least_leaf, desk)
    _sort_by_level(levels, rows, desk.counts, desk.order)
    if levels[desk.order[0]] == levels[desk.order[n - 1]]:
        return 0.0, -1
    if n_classes == 0:
        return _cut_numbers(levels, target.numbers, desk.order[:n], least_leaf)
    return _cut_classes(levels, target.classes, desk.order[:n], least_leaf, desk.tally)


@kernel
def _sort_by_level(levels: Bytes, rows: Ints, counts: Ints, order: Ints) -> None:
    """The node's records in the order of their levels."""
    if len(rows) <= FEW:
        for i in range(len(rows)):
            j, level = i, levels[rows[i]]
            while j > 0 and levels[order[j - 1]] > level:
                order[j] = order[j - 1]
                j -= 1
            order[j] = rows[i]
        return
    counts[:] = 0
    for row in rows:
        counts[levels[row]] += 1
    place = 0
    for level in range(N_LEVELS):
        place += counts[level]
        counts[level] = place - counts[level]
    for row in rows:
        level = levels[row]
        order[counts[level]] = row
        counts[level] += 1


@kernel
def _cut_numbers(levels: Bytes, numbers: Floats, order: Ints, least_leaf: int) -> Cut:
    """Scan the sorted records, moving one after the other to the left side."""
    n, total, best, cut, below = len(order), 0.0, -np.inf, -1, 0.0
    for row in order:
        total += numbers[row]
    for i in range(n - least_leaf):
        below += numbers[order[i]]
        if i + 1 >= least_leaf and levels[order[i]] != levels[order[i + 1]]:
            above = total - below
            found = below * below / (i + 1) + above * above / (n - i - 1)
            if found > best:
                best, cut = found, levels[order[i]]
    return best, cut


@kernel
def _cut_numbers_by_level(
    levels: Bytes, numbers: Floats, rows: Ints, least_leaf: int, desk: Desk
) -> Cut:
    """Scan the levels, whose numbers are summed first."""
    desk.counts[:] = 0
    desk.sums[:] = 0.0
    for row in rows:
        desk.counts[levels[row]] += 1
        desk.sums[levels[row]] += numbers[row]
    total, best, cut = 0.0, -np.inf, -1
    for level in range(N_LEVELS):
        total += desk.sums[level]
    n_left, below = 0, 0.0
    for level in range(N_LEVELS):
        n_left += desk.counts[level]
        below += desk.sums[level]
        n_right = len(rows) - n_left
        if n_right < least_leaf:
            break
        if desk.counts[level] > 0 and n_left >= least_leaf:
            found = below * below / n_left + (total - below) * (total - below) / n_right
            if found > best:
                best, cut = found, level
    return best, cut


@kernel
def _cut_classes(levels: Bytes, classes: Ints, order: Ints, least_leaf: int, tally: Ints) -> Cut:
    """Scan the sorted records, updating the squared counts of both sides."""
    n, above, below, best, cut = len(order), 0.0, 0.0, -np.inf, -1
    for row in order:
        above += 2.0 * tally[1, classes[row]] + 1.0
        tally[1, classes[row]] += 1
    for i in range(n - least_leaf):
        c = classes[order[i]]
        below += 2.0 * tally[0, c] + 1.0
        above -= 2.0 * tally[1, c] - 1.0
        tally[0, c] += 1
        tally[1, c] -= 1
        if i + 1 >= least_leaf and levels[order[i]] != levels[order[i + 1]]:
            found = below / (i + 1) + above / (n - i - 1)
            if found > best:
                best, cut = found, levels[order[i]]
    for row in order:
        tally[:, classes[row]] = 0
    return best, cut


@kernel
def _cut_classes_by_level(
    levels: Bytes, classes: Ints, rows: Ints, least_leaf: int, desk: Desk
) -> Cut:
    """Scan the levels, whose classes are counted first."""
    table, tally, n_classes = desk.table, desk.tally, desk.table.shape[1]
    table[:] = 0
    for row in rows:
        table[levels[row], classes[row]] += 1
        tally[1, classes[row]] += 1
    best, cut, n_left = -np.inf, -1, 0
    for level in range(N_LEVELS):
        n_here, below, above = 0, 0.0, 0.0
        for c in range(n_classes):
            n_here += table[level, c]
            tally[0, c] += table[level, c]
            below += np.float64(tally[0, c]) * tally[0, c]
            above += np.float64(tally[1, c] - tally[0, c]) * (tally[1, c] - tally[0, c])
        n_left += n_here
        n_right = len(rows) - n_left
        if n_here > 0 and n_left >= least_leaf and n_right >= least_leaf:
            found = below / n_left + above / n_right
            if found > best:
                best, cut = found, level
    tally[:] = 0
    return best, cut
