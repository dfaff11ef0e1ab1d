"""Leaves that a cell's move can begin at, and leaves that can move against them."""

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.cell_moves.space import Move, MoveSpace, MoveState, find_cell
from microveil.kernels.jit import kernel

MOST_LOOKED_AT = 256
"""Cells of one sum that are looked at."""


@kernel
def price_of(state: MoveState, cell: int, need: float) -> float:
    """What it costs to move a cell up (need above 0) or down; infinite if it cannot."""
    room = state.above[cell] if need > 0 else state.below[cell]
    if state.barred[cell] or room < abs(need) - 1e-9:
        return float(np.inf)
    return 0.0 if state.hidden[cell] else float(state.costs[cell])


@kernel
def start_at(
    space: MoveSpace, state: MoveState, cell: int, table: int, need: float, move: Move
) -> int:
    """The finest cell below a cell, the cheapest way down; −1 if there is none."""
    n_variables = space.shows.shape[1]
    key = 0
    for j in range(n_variables):
        node = space.nodes[cell, j]
        if space.shows[table, j] and node == 0 and move.leaf[j] >= 0:  # chosen by another table
            node = space.chains[table, j, move.leaf[j], 0]
        key += node * space.strides[j]
    at = find_cell(space, key)
    for j in range(n_variables):
        if at >= 0 and space.shows[table, j]:
            at = go_down(space, state, at, table * n_variables + j, need)
            move.leaf[j] = space.leaf_of[j, space.nodes[at, j]]
            if move.leaf[j] < 0:
                return -1
    return at


@kernel
def go_down(space: MoveSpace, state: MoveState, cell: int, slot: int, need: float) -> int:
    """From a cell to one without parts, along one variable, by the cheapest part each time."""
    while space.starts[slot, cell] < space.starts[slot, cell + 1]:
        first, n = _window(space, slot, cell)
        best, lowest = space.children[first], np.inf
        for step in range(min(n, MOST_LOOKED_AT)):
            child = space.children[first + step]
            price = price_of(state, child, need)
            if price < lowest:
                best, lowest = child, price
            if lowest <= 0:  # nothing is cheaper
                break
        cell = best
    return cell


@kernel
def _window(space: MoveSpace, slot: int, cell: int) -> tuple[int, int]:
    first = space.starts[slot, cell]
    return int(first), int(space.starts[slot, cell + 1] - first)


@kernel
def collect(
    space: MoveSpace,
    state: MoveState,
    way: Longs,
    need: float,
    leaves: Longs,
    prices: Floats,
) -> int:
    """The cheapest leaves that can move against a cell along one variable; returns how many.

    ``way`` is the finest cell, the cell itself, the table and the variable.
    """
    base, cell, table, j = way[0], way[1], way[2], way[3]
    slot = table * space.shows.shape[1] + j
    at = base
    while at >= 0 and space.nodes[at, j] != space.nodes[cell, j]:
        at = space.parents[slot, at]
    n_found = 0
    while at >= 0 and n_found < len(leaves):
        above = space.parents[slot, at]
        if above < 0:
            break
        first, n = _window(space, slot, above)
        offset = (cell * 7919) % n if n > MOST_LOOKED_AT else 0
        for step in range(min(n, MOST_LOOKED_AT)):
            if n_found == len(leaves) and prices[n_found - 1] <= 0:  # nothing is cheaper
                return n_found
            beside = space.children[first + (offset + step) % n]
            if beside == at:
                continue
            price = price_of(state, beside, -need)
            if price < np.inf and (n_found < len(leaves) or price < prices[n_found - 1]):
                leaf = go_down(space, state, beside, slot, -need)
                n_found = _insert(
                    leaves, prices, n_found, space.leaf_of[j, space.nodes[leaf, j]], price
                )
        at = above
    return n_found


@kernel
def _insert(leaves: Longs, prices: Floats, n: int, leaf: int, price: float) -> int:
    """Keep the cheapest, in order; the earlier one first among equals."""
    if leaf < 0:
        return n
    at = n if n < len(leaves) else n - 1
    while at > 0 and prices[at - 1] > price:
        leaves[at], prices[at] = leaves[at - 1], prices[at - 1]
        at -= 1
    leaves[at], prices[at] = leaf, price
    return min(n + 1, len(leaves))
