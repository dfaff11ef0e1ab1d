"""Cost of the lowest common label of values, for keys with a hierarchy.

Values are coded so that those under one label are consecutive on every level. The lowest common
label of a set of values is then that of its smallest and its largest code.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel


class Trees(NamedTuple):
    """The hierarchies of all keys, concatenated."""

    n_codes: Longs
    start: Longs  # where the (levels, codes) tables of a key begin
    first: Ints  # first code under the label of a code
    cost: Floats  # cost per record of that label
    pair: Longs  # where the (codes, codes) table of a key begins; −1: no table, climb
    table: Floats  # cost of the lowest common label of two codes


@kernel
def common_cost(trees: Trees, column: int, low: int, high: int) -> float:
    """Cost per record of a class whose smallest and largest codes are low and high."""
    n = trees.n_codes[column]
    if trees.pair[column] >= 0:
        return float(trees.table[trees.pair[column] + low * n + high])
    place = trees.start[column]
    while trees.first[place + low] != trees.first[place + high]:
        place += n
    return float(trees.cost[place + low])


@kernel
def common_level(trees: Trees, column: int, low: int, high: int) -> int:
    """Level of the lowest common label of two codes."""
    n = trees.n_codes[column]
    level, place = 0, trees.start[column]
    while trees.first[place + low] != trees.first[place + high]:
        place += n
        level += 1
    return level


@kernel
def common_levels(trees: Trees, low: Ints, high: Ints) -> Ints:
    """Level of the lowest common label of each class and key."""
    levels = np.empty(low.shape, np.int32)
    for row in range(low.shape[0]):
        for column in range(low.shape[1]):
            levels[row, column] = common_level(trees, column, low[row, column], high[row, column])
    return levels


@kernel
def pair_table(first: Ints, cost: Floats, n: int) -> Floats:
    """Cost of the lowest common label of every two codes of a key."""
    table = np.empty(n * n)
    for low in range(n):
        place = 0
        for high in range(low, n):
            # The label can only get coarser as the other end moves on.
            while first[place + low] != first[place + high]:
                place += n
            table[low * n + high] = table[high * n + low] = cost[place + low]
    return table
