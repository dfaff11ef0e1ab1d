"""The cheapest move found for one cell after the other, and what each move proves."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Floats, Ints, Longs
from microveil.kernels.cell_moves.candidates import collect, price_of, start_at
from microveil.kernels.cell_moves.space import (
    Lists,
    Move,
    MoveSpace,
    MoveState,
    list_nodes,
    next_cell,
    open_lists,
)
from microveil.kernels.jit import kernel

N_CANDIDATES = 8
"""Codes that are tried on the other side of a move, for each variable."""
MOST_CELLS = 4096
"""Cells of one move, beyond which it is not tried."""


class Found(NamedTuple):
    """Moves that were found: the cells and signs of each, and how far it can go either way."""

    cells: Ints
    signs: Ints
    starts: Longs
    low: Floats
    high: Floats
    counts: Longs  # [moves, cells of moves]


class Demands(NamedTuple):
    """Cells that need a move, and which way: 1 up, −1 down."""

    cells: Longs
    directions: Longs


class Wanted(NamedTuple):
    """What cells need, and whether a move has shown it."""

    up: Floats
    down: Floats
    met_up: Flags
    met_down: Flags


class Scratch(NamedTuple):
    """Arrays that one search after the other uses."""

    lists: Lists
    inside: Flags  # [tables]: tables that show all variables of the cell
    active: Flags  # [variables]: variables in which the cell is not at its total
    leaves: Longs  # [variables, candidates]
    prices: Floats
    numbers: Longs  # [variables]: how many candidates there are
    way: Longs


@kernel
def open_scratch(space: MoveSpace) -> Scratch:
    """Empty scratch."""
    n = space.shows.shape[1]
    return Scratch(
        open_lists(n, space.chains.shape[3]),
        np.zeros(space.shows.shape[0], np.bool_),
        np.zeros(n, np.bool_),
        np.zeros((n, N_CANDIDATES), np.int64),
        np.zeros((n, N_CANDIDATES)),
        np.zeros(n, np.int64),
        np.zeros(4, np.int64),
    )


@kernel
def weigh(
    space: MoveSpace, state: MoveState, scratch: Scratch, move: Move, need: float, most: float
) -> float:
    """What a move costs in cells not suppressed yet; infinite as soon as it is not below `most`."""
    price, clock = 0.0, state.stamps[-1] + 1
    state.stamps[-1] = clock
    for table in range(len(scratch.inside)):
        if not scratch.inside[table]:
            continue
        n = list_nodes(space, table, move, scratch.lists)
        if n > MOST_CELLS:
            return float(np.inf)
        for _ in range(n):
            cell, sign = next_cell(space, scratch.lists)
            if cell < 0:
                return float(np.inf)
            if state.stamps[cell] == clock:
                continue
            state.stamps[cell] = clock
            price += price_of(state, cell, need * sign)
            if price >= most:
                return float(np.inf)
    return price


@kernel
def find_move(
    space: MoveSpace,
    state: MoveState,
    scratch: Scratch,
    cell: int,
    need: float,
    move: Move,
    most: float,
) -> float:
    """The cheapest move of a cell that was found; `most` if none is cheaper than that."""
    if not _prepare(space, state, scratch, cell, need, move):
        return most
    trial = Move(move.leaf, move.other.copy())
    best = most
    for j in range(len(move.other)):  # all variables at once
        trial.other[j] = scratch.leaves[j, 0] if scratch.numbers[j] > 0 else -1
    best = _improve(space, state, scratch, trial, need, move, best)
    for j in range(len(move.other)):  # each variable alone
        if scratch.numbers[j] > 0 and best > 0:
            trial.other[:] = -1
            trial.other[j] = scratch.leaves[j, 0]
            best = _improve(space, state, scratch, trial, need, move, best)
    return best


@kernel
def _prepare(
    space: MoveSpace, state: MoveState, scratch: Scratch, cell: int, need: float, move: Move
) -> bool:
    """Choose where the move begins, and what can move against it."""
    move.leaf[:] = -1
    move.other[:] = -1
    scratch.numbers[:] = 0
    for j in range(len(move.leaf)):
        scratch.active[j] = space.nodes[cell, j] > 0
    base, home, any_found = -1, -1, False
    for table in range(len(scratch.inside)):
        inside = True
        for j in range(len(move.leaf)):
            inside = inside and (space.shows[table, j] or not scratch.active[j])
        scratch.inside[table] = inside
        if inside:
            start = start_at(space, state, cell, table, need, move)
            if start < 0:
                return False
            if home < 0:
                base, home = start, table
    for j in range(len(move.leaf)):
        if scratch.active[j] and home >= 0:
            scratch.way[0], scratch.way[1], scratch.way[2], scratch.way[3] = base, cell, home, j
            n = collect(space, state, scratch.way, need, scratch.leaves[j], scratch.prices[j])
            scratch.numbers[j] = n
            any_found = any_found or n > 0
    return any_found


@kernel
def _improve(
    space: MoveSpace,
    state: MoveState,
    scratch: Scratch,
    trial: Move,
    need: float,
    move: Move,
    best: float,
) -> float:
    """Change one variable after the other while the move gets cheaper; `move` keeps the best."""
    price = weigh(space, state, scratch, trial, need, best)
    if price < best:
        best = price
        move.other[:] = trial.other
    better = True
    while better and best > 0:
        better = False
        for j in range(len(trial.other)):
            kept = trial.other[j]
            for number in range(-1, scratch.numbers[j]):
                if scratch.numbers[j] == 0:
                    continue
                trial.other[j] = scratch.leaves[j, number] if number >= 0 else -1
                if trial.other[j] == kept or trial.other.max() < 0:
                    continue
                price = weigh(space, state, scratch, trial, need, best)
                if price < best:
                    best, kept, better = price, trial.other[j], True
                    move.other[:] = trial.other
            trial.other[j] = kept
    return best


@kernel
def keep_move(
    space: MoveSpace,
    state: MoveState,
    scratch: Scratch,
    move: Move,
    wanted: Wanted,
    found: Found,
) -> None:
    """Suppress what a move touches, and note which cells it protects."""
    number = note_move(space, state, scratch, move, found)
    for at in range(found.starts[number], found.starts[number + 1]):
        cell = found.cells[at]
        state.hidden[cell] = True
        up, down = reaches(found, number, at)
        if up >= wanted.up[cell] - 1e-9:
            wanted.met_up[cell] = True
        if down >= wanted.down[cell] - 1e-9:
            wanted.met_down[cell] = True


@kernel
def reaches(found: Found, number: int, at: int) -> tuple[float, float]:
    """How far a move takes one of its cells up and down."""
    if found.signs[at] > 0:
        return float(found.high[number]), float(-found.low[number])
    return float(-found.low[number]), float(found.high[number])


@kernel
def note_move(
    space: MoveSpace, state: MoveState, scratch: Scratch, move: Move, found: Found
) -> int:
    """Write down what a move touches and how far it can go; returns its number."""
    n_moves, n_cells = found.counts[0], found.counts[1]
    low, high, clock = -np.inf, np.inf, state.stamps[-1] + 1
    state.stamps[-1] = clock
    for table in range(len(scratch.inside)):
        n = list_nodes(space, table, move, scratch.lists) if scratch.inside[table] else 0
        for _ in range(n):
            cell, sign = next_cell(space, scratch.lists)
            if state.stamps[cell] == clock:
                continue
            state.stamps[cell] = clock
            found.cells[n_cells], found.signs[n_cells] = cell, sign
            n_cells += 1
            up, down = state.above[cell], state.below[cell]
            high = min(high, up if sign > 0 else down)
            low = max(low, -down if sign > 0 else -up)
    found.starts[n_moves + 1], found.low[n_moves], found.high[n_moves] = n_cells, low, high
    found.counts[0], found.counts[1] = n_moves + 1, n_cells
    return int(n_moves)


@kernel
def meet_demands(
    space: MoveSpace,
    state: MoveState,
    demands: Demands,
    wanted: Wanted,
    found: Found,
    first: int,
) -> int:
    """Find moves for demands in turn, until all were tried or the arrays are full.

    Returns the demand to go on with.
    """
    scratch = open_scratch(space)
    n_variables = space.shows.shape[1]
    move = Move(np.zeros(n_variables, np.int64), np.zeros(n_variables, np.int64))
    for number in range(first, len(demands.cells)):
        cell, up = demands.cells[number], demands.directions[number] > 0
        if wanted.met_up[cell] if up else wanted.met_down[cell]:
            continue
        if found.counts[0] + 1 >= len(found.starts) or found.counts[1] + MOST_CELLS * len(
            scratch.inside
        ) > len(found.cells):
            return number
        need = wanted.up[cell] if up else -wanted.down[cell]
        if find_move(space, state, scratch, cell, need, move, np.inf) < np.inf:
            keep_move(space, state, scratch, move, wanted, found)
    return len(demands.cells)
