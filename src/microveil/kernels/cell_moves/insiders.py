"""Cells that the only contributor of others could compute, and moves that such a person allows."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.kernels.cell_moves.searching import (
    MOST_CELLS,
    Found,
    Wanted,
    find_move,
    keep_move,
    open_scratch,
)
from microveil.kernels.cell_moves.space import Move, MoveSpace, MoveState
from microveil.kernels.jit import kernel


class Owners(NamedTuple):
    """Who knows which suppressed cells, being their only contributor."""

    sole: Longs  # [cells]: the number of the owner, otherwise −1
    whole: Longs  # [cells]: who adds all there is: for them a cell is no secret
    starts: Longs  # [owners + 1]
    cells: Longs


class Suspicions(NamedTuple):
    """Cells, each with someone who could compute it."""

    cells: Longs
    owners: Longs


class Incidence(NamedTuple):
    """Moves by cell, and cells by move."""

    starts: Longs  # [cells + 1]
    moves: Ints
    move_starts: Longs  # [moves + 1]
    cells: Ints


@kernel
def find_suspects(cells: Longs, owners: Owners, known: Incidence) -> Longs:
    """For each cell someone who owns a cell in every move of it; −1 if there is nobody."""
    seen = np.full(len(owners.starts) - 1, -1, np.int64)
    suspects, base = np.full(len(cells), -1, np.int64), 0
    for number in range(len(cells)):
        cell = cells[number]
        first, last = known.starts[cell], known.starts[cell + 1]
        left = 0
        for at in range(first, last):
            left = 0
            move, turn = known.moves[at], base + at - first
            for place in range(known.move_starts[move], known.move_starts[move + 1]):
                owner = owners.sole[known.cells[place]]
                if owner < 0 or owner in (owners.whole[cell], owners.sole[cell]):
                    continue
                if at == first or seen[owner] == turn - 1:
                    seen[owner] = turn
                    suspects[number] = owner
                    left += 1
            if left == 0:
                break
        if left == 0:
            suspects[number] = -1
        base += last - first + 1
    return suspects


@kernel
def meet_insiders(
    space: MoveSpace,
    state: MoveState,
    pairs: Suspicions,
    owners: Owners,
    wanted: Wanted,
    found: Found,
    first: int,
) -> int:
    """Find moves that touch nothing a suspect owns; returns the cell to go on with."""
    scratch = open_scratch(space)
    n_variables = space.shows.shape[1]
    move = Move(np.zeros(n_variables, np.int64), np.zeros(n_variables, np.int64))
    for number in range(first, len(pairs.cells)):
        if found.counts[0] + 1 >= len(found.starts) or found.counts[1] + MOST_CELLS * len(
            scratch.inside
        ) > len(found.cells):
            return number
        cell, owner = pairs.cells[number], pairs.owners[number]
        begin, end = owners.starts[owner], owners.starts[owner + 1]
        was = state.barred[owners.cells[begin:end]].copy()
        state.barred[owners.cells[begin:end]] = True
        price = find_move(space, state, scratch, cell, wanted.up[cell], move, np.inf)
        if price == np.inf:
            price = find_move(space, state, scratch, cell, -wanted.up[cell], move, np.inf)
        if price < np.inf:
            keep_move(space, state, scratch, move, wanted, found)
        state.barred[owners.cells[begin:end]] = was
    return len(pairs.cells)
