"""Cells that need not be suppressed after all: what they protect can move another way."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Ints, Longs
from microveil.kernels.cell_moves.searching import (
    MOST_CELLS,
    Found,
    Scratch,
    Wanted,
    find_move,
    note_move,
    open_scratch,
    reaches,
)
from microveil.kernels.cell_moves.space import Move, MoveSpace, MoveState
from microveil.kernels.jit import kernel

MOST_NEEDY = 64
"""Proofs that are replaced to publish one cell."""
FREE = 1e-12
"""A move that suppresses nothing new costs less than this."""


class Proofs(NamedTuple):
    """How many moves prove what each cell needs, and which moves pass through each cell."""

    up: Ints  # [cells]
    down: Ints
    alive: Flags  # [moves]
    heads: Longs  # [cells]: the last entry of a cell, −1 if there is none
    links: Longs  # [entries]: the entry before, of the same cell
    owners: Ints  # [entries]: the move
    needy: Longs  # scratch: cells without a proof; twice the cell, and one for a proof upwards
    state: Longs  # [number of needy cells]


@kernel
def enter_move(found: Found, proofs: Proofs, wanted: Wanted, number: int) -> None:
    """Count a move's proofs, and enter it at its cells."""
    for at in range(found.starts[number], found.starts[number + 1]):
        cell = found.cells[at]
        proofs.links[at], proofs.heads[cell] = proofs.heads[cell], at
        proofs.owners[at] = number
    proofs.alive[number] = True
    _count(found, proofs, wanted, number, 1)


@kernel
def _count(found: Found, proofs: Proofs, wanted: Wanted, number: int, step: int) -> None:
    """Add or take away what a move proves; cells that lose their last proof become needy."""
    for at in range(found.starts[number], found.starts[number + 1]):
        cell = found.cells[at]
        up, down = reaches(found, number, at)
        if wanted.up[cell] > 0 and up >= wanted.up[cell] - 1e-9:
            proofs.up[cell] += step
            if proofs.up[cell] == 0:
                proofs.needy[proofs.state[0]] = 2 * cell + 1
                proofs.state[0] += 1
        if wanted.down[cell] > 0 and down >= wanted.down[cell] - 1e-9:
            proofs.down[cell] += step
            if proofs.down[cell] == 0:
                proofs.needy[proofs.state[0]] = 2 * cell
                proofs.state[0] += 1


@kernel
def _withdraw(found: Found, proofs: Proofs, wanted: Wanted, cell: int) -> int:
    """Take the moves through a cell out of the count, until too many cells are needy.

    Returns the entry that comes next; −1 after the last. Half of all moves may pass through a
    total, which is then needed anyway.
    """
    at = proofs.heads[cell]
    while at >= 0 and proofs.state[0] <= MOST_NEEDY:
        if proofs.alive[proofs.owners[at]]:
            _count(found, proofs, wanted, proofs.owners[at], -1)
        at = proofs.links[at]
    return int(at)


@kernel
def _put_back(found: Found, proofs: Proofs, wanted: Wanted, cell: int, end: int) -> None:
    """Count the moves through a cell again that were withdrawn before an entry."""
    at = proofs.heads[cell]
    while at != end:
        if proofs.alive[proofs.owners[at]]:
            _count(found, proofs, wanted, proofs.owners[at], 1)
        at = proofs.links[at]


@kernel
def _replace_proofs(
    space: MoveSpace,
    state: MoveState,
    scratch: Scratch,
    wanted: Wanted,
    found: Found,
    proofs: Proofs,
    move: Move,
) -> bool:
    """Whether all needy cells can move through suppressed cells alone."""
    for number in range(proofs.state[0]):
        cell, is_up = proofs.needy[number] // 2, proofs.needy[number] % 2 == 1
        if (proofs.up[cell] if is_up else proofs.down[cell]) > 0:
            continue
        full = found.counts[1] + MOST_CELLS * len(scratch.inside) > len(found.cells)
        if full or found.counts[0] >= len(proofs.alive):
            return False
        need = wanted.up[cell] if is_up else -wanted.down[cell]
        if find_move(space, state, scratch, cell, need, move, FREE) >= FREE:
            return False
        enter_move(found, proofs, wanted, note_move(space, state, scratch, move, found))
    return True


@kernel
def _forget_moves(found: Found, proofs: Proofs, wanted: Wanted, first: int) -> None:
    """Take the latest moves back, so that others can stand in their place."""
    for number in range(found.counts[0] - 1, first - 1, -1):
        _count(found, proofs, wanted, number, -1)
        proofs.alive[number] = False
        for at in range(found.starts[number + 1] - 1, found.starts[number] - 1, -1):
            proofs.heads[found.cells[at]] = proofs.links[at]
    found.counts[0], found.counts[1] = first, found.starts[first]


@kernel
def thin_out(
    space: MoveSpace,
    state: MoveState,
    order: Longs,
    wanted: Wanted,
    found: Found,
    proofs: Proofs,
) -> None:
    """Publish suppressed cells, in this order, without which all proofs can be replaced."""
    scratch = open_scratch(space)
    n_variables = space.shows.shape[1]
    move = Move(np.zeros(n_variables, np.int64), np.zeros(n_variables, np.int64))
    for turn in range(len(order)):
        cell, first_new = order[turn], found.counts[0]
        state.barred[cell] = True
        proofs.state[0] = 0
        end = _withdraw(found, proofs, wanted, cell)
        if proofs.state[0] <= MOST_NEEDY and _replace_proofs(
            space, state, scratch, wanted, found, proofs, move
        ):
            state.hidden[cell] = False
            at = proofs.heads[cell]
            while at >= 0:
                proofs.alive[proofs.owners[at]] = False
                at = proofs.links[at]
        else:
            state.barred[cell] = False
            _put_back(found, proofs, wanted, cell, end)
            _forget_moves(found, proofs, wanted, first_new)
