"""Where moves are looked for: cells by their codes, what stands above and below each, prices."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Floats, Ints, Longs
from microveil.kernels.jit import kernel, wrapping_kernel


class MoveSpace(NamedTuple):
    """The cells of several tables. A slot is a table and one of its variables."""

    nodes: Ints  # [cells, variables]: the node of each cell; 0 is everything
    strides: Longs  # [variables]: a cell's key is the sum of its nodes times these
    keys: Longs  # hash table of 2ⁿ places: key of each, −1 where it is free
    places: Ints  # hash table: the cell at each place
    shows: Flags  # [tables, variables]
    chains: Ints  # [tables, variables, leaves, depth]: from the leaf's node to 0, then −1
    leaf_of: Ints  # [variables, nodes]: the leaf of a finest node, otherwise −1
    parents: Ints  # [slots, cells]: the cell directly above, −1 if there is none
    starts: Ints  # [slots, cells + 1]: where the cells directly below begin in `children`
    children: Ints


class MoveState(NamedTuple):
    """What is suppressed so far, and what each cell's move would cost."""

    hidden: Flags
    barred: Flags  # cells that may not move
    costs: Floats
    below: Floats  # how far each cell can fall
    above: Floats
    stamps: Longs  # [cells + 1]: the last move that a cell was counted in; the last is the clock


class Move(NamedTuple):
    """A pair of leaves for some variables, a single leaf for others."""

    leaf: Longs  # [variables]: the leaf on the side of the cell; −1: not involved
    other: Longs  # [variables]: the leaf on the other side; −1: none, all above `leaf` moves


class Lists(NamedTuple):
    """Scratch: the nodes that a move touches in one table, by variable."""

    nodes: Longs  # [variables, 2 · depth]
    signs: Longs
    sizes: Longs  # [variables]
    at: Longs  # [variables]: the odometer over all combinations


@kernel
def open_lists(n_variables: int, depth: int) -> Lists:
    """Empty scratch."""
    return Lists(
        np.zeros((n_variables, 2 * depth), np.int64),
        np.zeros((n_variables, 2 * depth), np.int64),
        np.zeros(n_variables, np.int64),
        np.zeros(n_variables, np.int64),
    )


@wrapping_kernel
def first_place(key: int, size: int) -> int:
    """Where a key is looked for first, in a table whose size is a power of two.

    Keys of neighbouring cells follow one another: taken as they are they fill whole stretches of
    the table, and each look-up walks to the end of one. Mixing their bits scatters them.
    """
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
    # Signed: numba makes a float of a signed and an unsigned number.
    return int(np.int64((mixed >> np.uint64(32)) & np.uint64(size - 1)))


@kernel
def fill_hash(all_keys: Longs, keys: Longs, places: Ints) -> None:
    """Enter each cell under its key; `keys` is −1 everywhere and larger than the cells."""
    size = len(keys)
    for cell in range(len(all_keys)):
        at = first_place(all_keys[cell], size)
        while keys[at] >= 0:
            at = at + 1 if at + 1 < size else 0
        keys[at] = all_keys[cell]
        places[at] = cell


@kernel
def find_cell(space: MoveSpace, key: int) -> int:
    """The cell of a key, or −1: nobody is in it."""
    size = len(space.keys)
    at = first_place(key, size)
    while space.keys[at] >= 0:
        if space.keys[at] == key:
            return int(space.places[at])
        at = at + 1 if at + 1 < size else 0
    return -1


@kernel
def list_nodes(space: MoveSpace, table: int, move: Move, lists: Lists) -> int:
    """List the nodes that a move touches in a table; returns the number of combinations."""
    combinations = 1
    for j in range(space.shows.shape[1]):
        lists.at[j] = 0
        if space.shows[table, j]:
            lists.sizes[j] = _touched(space, table, j, move, lists)
        else:
            lists.nodes[j, 0], lists.signs[j, 0], lists.sizes[j] = 0, 1, 1
        combinations *= lists.sizes[j]
    return combinations


@kernel
def _touched(space: MoveSpace, table: int, j: int, move: Move, lists: Lists) -> int:
    """Nodes above one leaf but not above the other: those above both stay as they are."""
    chain = space.chains[table, j, move.leaf[j]]
    end = _length(chain)
    if move.other[j] < 0:
        for i in range(end):
            lists.nodes[j, i], lists.signs[j, i] = chain[i], 1
        return end
    opposite = space.chains[table, j, move.other[j]]
    last = _length(opposite)
    while end > 0 and last > 0 and chain[end - 1] == opposite[last - 1]:
        end -= 1
        last -= 1
    for i in range(end):
        lists.nodes[j, i], lists.signs[j, i] = chain[i], 1
    for i in range(last):
        lists.nodes[j, end + i], lists.signs[j, end + i] = opposite[i], -1
    return end + last


@kernel
def _length(chain: Ints) -> int:
    n = 0
    while n < len(chain) and chain[n] >= 0:
        n += 1
    return n


@kernel
def next_cell(space: MoveSpace, lists: Lists) -> tuple[int, int]:
    """The cell and the sign of the current combination; moves on to the next one."""
    key, sign = 0, 1
    for j in range(len(lists.sizes)):
        key += lists.nodes[j, lists.at[j]] * space.strides[j]
        sign *= lists.signs[j, lists.at[j]]
    j = 0
    while j < len(lists.sizes):
        lists.at[j] += 1
        if lists.at[j] < lists.sizes[j]:
            break
        lists.at[j] = 0
        j += 1
    return find_cell(space, key), sign
