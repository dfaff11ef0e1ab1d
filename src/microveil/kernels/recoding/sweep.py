"""Classes from the finest labels up: groups of at least k records become classes.

The combinations of levels are tried from the cheapest to the most expensive. At each, the rows
without a class are grouped by their labels, and every group of k records or more that meets the
rules becomes a class.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs, Words
from microveil.kernels.jit import kernel, wrapping_kernel
from microveil.kernels.lattice.groups import Groups, merged_entries
from microveil.kernels.lattice.judge import broken_groups
from microveil.kernels.lattice.rules import Rules
from microveil.kernels.recoding.trees import Trees

_LEAST_ROOM = 64  # slots of a hash table


class _Tries(NamedTuple):
    """The combinations to try, prepared so that labels are compared by a sum of two words."""

    one: Words  # (levels of some keys, rows) sums of words that represent labels
    other: Words  # (levels of the other keys, rows)
    which: Longs  # (tries, 2) the entry of each half


class _Left(NamedTuple):
    """Rows without a class, and a hash table of their labels."""

    rows: Ints
    slot: Ints  # slot of each of them in the table
    keys: Words
    stamp: Ints  # the last turn in which a slot was used
    records: Longs
    number: Ints  # class made of a slot; −1 for none
    state: Longs  # [rows left, slots in use, turns]


def sweep_levels(
    codes: Ints, weights: Longs, k: int, trees: Trees, levels: Ints, share: float = 0.0
) -> Ints:
    """Class of each row, numbered from 0 in order of creation; −1 for rows without one.

    Each row of `levels` is a level per key, in the order of trial. A combination is used only if it
    gives classes to a `share` of the records without one; as these become fewer, skipped
    combinations are tried again. Time grows with the rows still without a class, summed over the
    combinations; memory with the rows and the square root of the number of combinations.
    """
    return _sweep(weights, k, _tries(codes, trees, levels), share)


def sweep_levels_where(
    codes: Ints, groups: Groups, trees: Trees, levels: Ints, rules: Rules, share: float = 0.0
) -> Ints:
    """As :func:`sweep_levels`, for classes that meet rules about the rows' sensitive values."""
    return _sweep_where(groups, rules, _tries(codes, trees, levels), share)


def records_in_groups(codes: Ints, weights: Longs, k: int, trees: Trees, levels: Ints) -> Longs:
    """For each combination of levels, the number of records in groups of k or more."""
    return _records_in_groups(weights, k, _tries(codes, trees, levels))


def _tries(codes: Ints, trees: Trees, levels: Ints) -> _Tries:
    n_labels = len(trees.first)
    words = np.random.default_rng(n_labels).integers(0, 2**64, n_labels, dtype=np.uint64)
    sums, which = [], []
    for half in _halves(levels):
        tried, number = np.unique(levels[:, half], axis=0, return_inverse=True)
        sums.append(_label_sums(codes, trees, words, half, np.ascontiguousarray(tried)))
        which.append(number.ravel())
    return _Tries(sums[0], sums[1], np.stack(which, axis=1))


def _halves(levels: Ints) -> tuple[Longs, Longs]:
    """Two sets of keys with about the same number of distinct levels."""
    halves: tuple[list[int], list[int]] = ([], [])
    sizes = [1, 1]
    n_levels = [len(np.unique(column)) for column in levels.T]
    for key in sorted(range(len(n_levels)), key=lambda one: -n_levels[one]):
        smaller = int(sizes[1] < sizes[0])
        halves[smaller].append(key)
        sizes[smaller] *= n_levels[key]
    return np.array(halves[0], dtype=np.int64), np.array(halves[1], dtype=np.int64)


@wrapping_kernel
def _label_sums(codes: Ints, trees: Trees, words: Words, keys: Longs, levels: Ints) -> Words:
    """(levels, rows) sum of random words that represent the labels of some keys.

    Rows with equal sums have the same labels except for a 64-bit collision, which could only make
    a class larger: the published labels are computed from its rows.
    """
    sums = np.zeros((levels.shape[0], codes.shape[0]), np.uint64)
    for tried in range(levels.shape[0]):
        for j in range(keys.size):
            key = keys[j]
            place = trees.start[key] + levels[tried, j] * trees.n_codes[key]
            for row in range(codes.shape[0]):
                label = trees.first[place + codes[row, key]]
                sums[tried, row] += words[place + label]
    return sums


@kernel
def _all_left(n: int) -> _Left:
    room = _LEAST_ROOM
    while room < 2 * n:
        room *= 2
    return _Left(
        np.arange(n).astype(np.int32),
        np.empty(n, np.int32),
        np.zeros(room, np.uint64),
        np.full(room, -1, np.int32),
        np.zeros(room, np.int64),
        np.zeros(room, np.int32),
        np.array([n, room, -1]),
    )


@wrapping_kernel
def _group_left(left: _Left, weights: Longs, tries: _Tries, tried: int, k: int) -> int:
    """Group the remaining rows by their labels; return the records in groups of k or more."""
    n_left = left.state[0]
    while left.state[1] > 4 * n_left and left.state[1] > _LEAST_ROOM:
        left.state[1] //= 2
    left.state[2] += 1
    last, turn = left.state[1] - 1, left.state[2]
    first, second = tries.one[tries.which[tried, 0]], tries.other[tries.which[tried, 1]]
    found = 0
    for i in range(n_left):
        row = left.rows[i]
        key = first[row] + second[row]
        at = np.int64(key >> np.uint64(32)) & last
        while left.stamp[at] == turn and left.keys[at] != key:
            at = (at + 1) & last
        if left.stamp[at] != turn:
            left.stamp[at], left.keys[at], left.records[at], left.number[at] = turn, key, 0, -1
        before = left.records[at]
        left.records[at] += weights[row]
        if left.records[at] >= k:
            found += weights[row] if before >= k else left.records[at]
        left.slot[i] = at
    return found


@kernel
def _records_in_groups(weights: Longs, k: int, tries: _Tries) -> Longs:
    left = _all_left(weights.size)
    found = np.empty(tries.which.shape[0], np.int64)
    for tried in range(found.size):
        found[tried] = _group_left(left, weights, tries, tried, k)
    return found


@kernel
def _take(left: _Left, labels: Ints, k: int, n_classes: int) -> int:
    """Make a class of each group of k or more not numbered below −1; return how many there are."""
    kept = 0
    for i in range(left.state[0]):
        row, at = left.rows[i], left.slot[i]
        if left.records[at] < k or left.number[at] < -1:
            left.rows[kept] = row
            kept += 1
            continue
        if left.number[at] < 0:
            left.number[at] = n_classes
            n_classes += 1
        labels[row] = left.number[at]
    left.state[0] = kept
    return n_classes


@kernel
def _sweep(weights: Longs, k: int, tries: _Tries, share: float) -> Ints:
    labels = np.full(weights.size, -1, np.int32)
    left = _all_left(weights.size)
    # As fewer records are left, no combination can gain more than it did before.
    most = np.full(tries.which.shape[0], weights.sum())
    n_records, tried, n_classes = weights.sum(), 0, 0
    while tried < most.size and left.state[0] > 0:
        enough = max(share * n_records, 1)
        if most[tried] >= enough:
            most[tried] = _group_left(left, weights, tries, tried, k)
        if most[tried] < enough:
            tried += 1
            continue
        n_classes = _take(left, labels, k, n_classes)
        n_records -= most[tried]
        most[tried] = 0
        # A skipped combination may reach the share of the fewer records that are left.
        tried = 0 if share > 0.0 else tried + 1
    return labels


@kernel
def _refuse_broken(left: _Left, groups: Groups, rules: Rules) -> int:
    """Number the groups that break a rule below −1; return the records of the others."""
    n = groups.counts.size
    numbers, n_groups = np.full(n, -1, np.int32), 0
    for i in range(left.state[0]):
        at = left.slot[i]
        if left.records[at] < rules.least:
            continue
        if left.number[at] == -1:
            left.number[at] = n_groups
            n_groups += 1
        numbers[left.rows[i]] = left.number[at]
    # Rows outside these groups form one more, which is empty as far as the rules are concerned.
    counts = np.zeros(n_groups + 1, np.int64)
    for row in range(n):
        if numbers[row] < 0:
            numbers[row] = n_groups
        else:
            counts[numbers[row]] += groups.counts[row]
    starts = np.zeros(n_groups + 2, np.int64)
    values, amounts = groups.values, groups.amounts
    if rules.totals.size:
        starts, values, amounts = merged_entries(groups, numbers, n_groups + 1, rules.totals.size)
    merged = Groups(np.zeros((n_groups + 1, 1), np.uint64), counts, starts, values, amounts)
    nothing = np.zeros(n_groups + 1, np.int32)
    out = broken_groups(merged, rules, nothing, np.zeros(n_groups + 1))
    for i in range(left.state[0]):
        at = left.slot[i]
        if left.number[at] >= 0:
            left.number[at] = -2 if out[left.number[at]] else -1
    return int(counts[:n_groups][out[:n_groups] == 0].sum())


@kernel
def _sweep_where(groups: Groups, rules: Rules, tries: _Tries, share: float) -> Ints:
    labels = np.full(groups.counts.size, -1, np.int32)
    left = _all_left(groups.counts.size)
    n_records, tried, n_classes = groups.counts.sum(), 0, 0
    while tried < tries.which.shape[0] and left.state[0] > 0:
        enough = max(share * n_records, 1)
        found = _group_left(left, groups.counts, tries, tried, rules.least)
        if found >= enough:
            found = _refuse_broken(left, groups, rules)
        tried += 1
        if found >= enough:
            n_classes = _take(left, labels, rules.least, n_classes)
            n_records -= found
    return labels
