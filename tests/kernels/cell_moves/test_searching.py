from __future__ import annotations

from itertools import product

import numpy as np

from microveil.kernels.cell_moves.searching import (
    Demands,
    find_move,
    meet_demands,
    note_move,
    open_scratch,
    reaches,
    weigh,
)
from microveil.kernels.cell_moves.space import Move
from tests.kernels.cell_moves.grids import COUNTS, Grid, no_moves


def test_the_move_found_is_the_cheapest_of_all_corners() -> None:
    grid = Grid(COUNTS)
    move = Move(np.full(2, -1), np.full(2, -1))
    scratch = open_scratch(grid.space)
    price = find_move(grid.space, grid.state, scratch, grid.place["y × v"], 1.0, move, np.inf)
    cheapest = min(COUNTS["y", b] + COUNTS[a, "v"] + COUNTS[a, b] for a, b in product("xz", "uw"))
    assert price == cheapest + COUNTS["y", "v"]
    assert weigh(grid.space, grid.state, scratch, move, 1.0, np.inf) == price
    assert weigh(grid.space, grid.state, scratch, move, 1.0, price) == np.inf


def test_demands_are_met_and_each_move_keeps_every_sum() -> None:
    grid = Grid(COUNTS)
    wanted, found = grid.wanted("x × u", "z × w"), no_moves()
    cells = grid.at("x × u", "z × w")
    demands = Demands(cells, np.ones(2, dtype=np.int64))
    assert meet_demands(grid.space, grid.state, demands, wanted, found, 0) == 2
    assert wanted.met_up.all()
    for number in range(found.counts[0]):
        moves = np.zeros(grid.cells.n_cells)
        at = slice(found.starts[number], found.starts[number + 1])
        moves[found.cells[at]] = found.signs[at]
        assert not np.abs(grid.cells.system.matrix @ moves).any()
        assert grid.state.hidden[moves != 0].all()


def test_a_move_goes_as_far_as_its_smallest_cell() -> None:
    grid = Grid(COUNTS)
    scratch, found = open_scratch(grid.space), no_moves()
    move = Move(np.full(2, -1), np.full(2, -1))
    find_move(grid.space, grid.state, scratch, grid.place["x × u"], 1.0, move, np.inf)
    number = note_move(grid.space, grid.state, scratch, move, found)
    signs = found.signs[: found.counts[1]]
    falling = grid.cells.values[found.cells[: found.counts[1]]][signs < 0]
    at = int(np.flatnonzero(found.cells[: found.counts[1]] == grid.place["x × u"])[0])
    assert reaches(found, number, at) == (falling.min(), 2)
