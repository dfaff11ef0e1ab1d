"""Equivalence classes of a node of the lattice, rolled up from those of a finer node.

The label of each key is a bit field of one 64-bit word (of several, if the keys have too many
labels for one). Generalising a key rewrites one field, and groups with equal words merge. A hash
table with open addressing finds them in one pass over the finer groups, whatever their order.
Groups are numbered in order of first occurrence.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs, Words
from microveil.kernels.jit import kernel, wrapping_kernel


class Layout(NamedTuple):
    """Where the label of each key is stored, and what it becomes at higher levels."""

    word: Longs
    """(keys,) word of each key's field."""
    shift: Longs
    """(keys,) lowest bit of the field."""
    mask: Words
    """(keys,) mask of the field: ones in its width."""
    lift_start: Longs
    """(keys, levels, levels) start of the table from one level's labels to another's."""
    lift: Ints
    """Label at the higher level of each label at the lower one."""


class Groups(NamedTuple):
    """Groups of records with their sizes and sensitive values."""

    words: Words
    """(groups, words) labels of the keys."""
    counts: Longs
    """Records of each group."""
    starts: Longs
    """(groups + 1,) where the entries of each group begin: one per sensitive value it has."""
    values: Ints
    """Number of the sensitive value of each entry; columns are numbered consecutively."""
    amounts: Longs
    """Records of the group that have the value."""


@wrapping_kernel
def hash_of(words: Words, row: int) -> np.uint64:
    """Hash of a row of words."""
    mixed = np.uint64(0)
    for w in range(words.shape[1]):
        mixed = (mixed ^ words[row, w]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed ^ (mixed >> np.uint64(32))


@kernel
def number_groups(words: Words) -> tuple[Ints, Longs]:
    """Number of each row's group, and the first row of each group.

    >>> numbers, first = number_groups(np.array([[7], [5], [7]], dtype=np.uint64))
    >>> numbers.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    n, n_words = words.shape
    size = 16
    while size < 2 * n:
        size *= 2
    table = np.full(size, -1, np.int32)
    numbers = np.empty(n, np.int32)
    first = np.empty(n, np.int64)
    n_groups = 0
    last = np.uint64(size - 1)
    for row in range(n):
        place = hash_of(words, row) & last
        while True:
            found = table[place]
            if found < 0:
                table[place] = n_groups
                first[n_groups] = row
                numbers[row] = n_groups
                n_groups += 1
                break
            same = True
            for w in range(n_words):
                if words[first[found], w] != words[row, w]:
                    same = False
                    break
            if same:
                numbers[row] = found
                break
            place = (place + np.uint64(1)) & last
    return numbers, first[:n_groups].copy()


@kernel
def lifted_words(words: Words, layout: Layout, low: Longs, high: Longs) -> Words:
    """The words of groups after their keys have been lifted from the levels `low` to `high`."""
    lifted = words.copy()
    for key in range(low.size):
        if low[key] == high[key]:
            continue
        start = layout.lift_start[key, low[key], high[key]]
        word, shift, mask = layout.word[key], np.uint64(layout.shift[key]), layout.mask[key]
        cleared = ~(mask << shift)
        for row in range(lifted.shape[0]):
            label = (lifted[row, word] >> shift) & mask
            above = np.uint64(layout.lift[start + np.int64(label)])
            lifted[row, word] = (lifted[row, word] & cleared) | (above << shift)
    return lifted


@kernel
def members_by_group(numbers: Ints, n_groups: int) -> tuple[Longs, Ints]:
    """Where the members of each group begin, and the members of all groups in that order."""
    starts = np.zeros(n_groups + 1, np.int64)
    for row in range(numbers.size):
        starts[numbers[row] + 1] += 1
    for group in range(n_groups):
        starts[group + 1] += starts[group]
    room = starts[:-1].copy()
    members = np.empty(numbers.size, np.int32)
    for row in range(numbers.size):
        members[room[numbers[row]]] = row
        room[numbers[row]] += 1
    return starts, members


@kernel
def merged_entries(
    groups: Groups, numbers: Ints, n_groups: int, n_values: int
) -> tuple[Longs, Ints, Longs]:
    """The entries of merged groups, with equal sensitive values of a group added up."""
    begins, members = members_by_group(numbers, n_groups)
    place = np.full(n_values, -1, np.int64)
    starts = np.zeros(n_groups + 1, np.int64)
    values = np.empty(groups.values.size, np.int32)
    amounts = np.empty(groups.values.size, np.int64)
    end = 0
    for group in range(n_groups):
        begin = end
        for member in range(begins[group], begins[group + 1]):
            old = members[member]
            for at in range(groups.starts[old], groups.starts[old + 1]):
                value = groups.values[at]
                if place[value] < begin:
                    place[value] = end
                    values[end] = value
                    amounts[end] = groups.amounts[at]
                    end += 1
                else:
                    amounts[place[value]] += groups.amounts[at]
        starts[group + 1] = end
    return starts, values[:end].copy(), amounts[:end].copy()


@kernel
def rolled_up(
    groups: Groups, layout: Layout, low: Longs, high: Longs, n_values: int
) -> tuple[Groups, Ints]:
    """The groups at higher levels, and the one that each group is now part of."""
    words = lifted_words(groups.words, layout, low, high)
    numbers, first = number_groups(words)
    n_groups, n_words = first.size, words.shape[1]
    counts = np.zeros(n_groups, np.int64)
    for row in range(numbers.size):
        counts[numbers[row]] += groups.counts[row]
    kept = np.empty((n_groups, n_words), np.uint64)
    for group in range(n_groups):
        for w in range(n_words):
            kept[group, w] = words[first[group], w]
    if n_values == 0:
        return Groups(kept, counts, groups.starts, groups.values, groups.amounts), numbers
    starts, values, amounts = merged_entries(groups, numbers, n_groups, n_values)
    return Groups(kept, counts, starts, values, amounts), numbers
