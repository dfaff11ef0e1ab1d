"""How many people of a population share the generalised keys of each group of records."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs, Words
from microveil.kernels.jit import kernel
from microveil.kernels.lattice.groups import Groups, Layout, hash_of


class Crowd(NamedTuple):
    """Distinct rows of a population, with the labels of their keys at every level."""

    codes: Ints
    """(rows, keys) value of each key."""
    amounts: Longs
    """People of each row."""
    start: Longs
    """(keys, levels) where a level's labels begin."""
    label: Ints
    """Label of each value; −1 if no record can have it."""


@kernel
def people_of_groups(groups: Groups, layout: Layout, crowd: Crowd, levels: Longs) -> Longs:
    """People of each group at the given levels; the last entry counts those of no group."""
    n_groups, n_words = groups.words.shape
    table = _table_of(groups.words)
    people = np.zeros(n_groups + 1, np.int64)
    word = np.zeros((1, n_words), np.uint64)
    for row in range(crowd.amounts.size):
        group = -1
        if _lay_out(word, layout, crowd, levels, row):
            group = _find(groups.words, table, word)
        people[group] += crowd.amounts[row]  # group −1 is the last entry
    return people


@kernel
def _table_of(words: Words) -> Ints:
    """A hash table of distinct groups."""
    size = 16
    while size < 2 * words.shape[0]:
        size *= 2
    table = np.full(size, -1, np.int32)
    last = np.uint64(size - 1)
    for group in range(words.shape[0]):
        place = hash_of(words, group) & last
        while table[place] >= 0:
            place = (place + np.uint64(1)) & last
        table[place] = group
    return table


@kernel
def _find(words: Words, table: Ints, word: Words) -> int:
    """The group with given words; −1 if there is none."""
    last = np.uint64(table.size - 1)
    place = hash_of(word, 0) & last
    while table[place] >= 0:
        group = table[place]
        same = True
        for w in range(word.shape[1]):
            same = same and words[group, w] == word[0, w]
        if same:
            return int(group)
        place = (place + np.uint64(1)) & last
    return -1


@kernel
def _lay_out(word: Words, layout: Layout, crowd: Crowd, levels: Longs, row: int) -> bool:
    """Write the labels of a row into `word`; whether records can have them."""
    word[:] = 0
    for key in range(levels.size):
        label = crowd.label[crowd.start[key, levels[key]] + crowd.codes[row, key]]
        # No record has a label too large for its field.
        if label < 0 or np.uint64(label) > layout.mask[key]:
            return False
        word[0, layout.word[key]] |= np.uint64(label) << np.uint64(layout.shift[key])
    return True
