"""What the records of each partition have in common, column by column.

A column's codes come in the order of the partitions; ``starts`` says where each begins.
"""

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.mondrian.key_space import KeySpace, lowest_level
from microveil.kernels.sorting import sort_integers


def code_ranges(codes: Ints, starts: Longs) -> tuple[Ints, Ints]:
    """Lowest and highest code of each partition.

    >>> low, high = code_ranges(np.array([3, 1, 5], dtype=np.int32), np.array([0, 2]))
    >>> low.tolist(), high.tolist()
    ([1, 5], [3, 5])
    """
    return np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)


def common_levels(space: KeySpace, column: int, low: Ints, high: Ints) -> Longs:
    """Lowest level of a column's hierarchy at which all codes of a partition share a label.

    Ranges with a missing code get level 0.
    """
    return _common_levels(space, column, low, high)


def medians(codes: Ints, starts: Longs) -> Ints:
    """Lower median code of each partition.

    >>> medians(np.array([3, 1, 2, 9], dtype=np.int32), np.array([0, 3])).tolist()
    [2, 9]
    """
    return _medians(codes, starts)


def modes(codes: Ints, starts: Longs) -> Ints:
    """Most frequent code of each partition, the lowest of several.

    >>> modes(np.array([3, 1, 3, 9, 8], dtype=np.int32), np.array([0, 3])).tolist()
    [3, 8]
    """
    return _modes(codes, starts)


def distinct_codes(codes: Ints, starts: Longs) -> tuple[Ints, Longs]:
    """The distinct codes of each partition, ascending, and how many each has.

    >>> found, counts = distinct_codes(np.array([3, 1, 3, 9], dtype=np.int32), np.array([0, 3]))
    >>> found.tolist(), counts.tolist()
    ([1, 3, 9], [2, 1])
    """
    found = np.empty(len(codes), np.int32)
    counts = np.empty(len(starts), np.int64)
    n_found = _distinct_codes(codes, starts, found, counts)
    return found[:n_found], counts


@kernel
def _common_levels(space: KeySpace, column: int, low: Ints, high: Ints) -> Longs:
    levels = np.zeros(low.size, np.int64)
    for part in range(low.size):
        if low[part] >= 0:
            levels[part] = lowest_level(space, column, low[part], high[part])
    return levels


@kernel
def _medians(codes: Ints, starts: Longs) -> Ints:
    middle = np.empty(starts.size, np.int32)
    for part in range(starts.size):
        end = starts[part + 1] if part + 1 < starts.size else codes.size
        ascending = codes[starts[part] : end].copy()
        sort_integers(ascending)
        middle[part] = ascending[(ascending.size - 1) // 2]
    return middle


@kernel
def _modes(codes: Ints, starts: Longs) -> Ints:
    most = np.empty(starts.size, np.int32)
    for part in range(starts.size):
        end = starts[part + 1] if part + 1 < starts.size else codes.size
        ascending = codes[starts[part] : end].copy()
        sort_integers(ascending)
        longest = run = 0
        for i in range(ascending.size):
            run = run + 1 if i and ascending[i] == ascending[i - 1] else 1
            if run > longest:
                longest, most[part] = run, ascending[i]
    return most


@kernel
def _distinct_codes(codes: Ints, starts: Longs, found: Ints, counts: Longs) -> int:
    n_found = 0
    for part in range(starts.size):
        end = starts[part + 1] if part + 1 < starts.size else codes.size
        ascending = codes[starts[part] : end].copy()
        sort_integers(ascending)
        before = n_found
        for i in range(ascending.size):
            if i == 0 or ascending[i] != ascending[i - 1]:
                found[n_found] = ascending[i]
                n_found += 1
        counts[part] = n_found - before
    return n_found
