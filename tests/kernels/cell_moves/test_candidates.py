from __future__ import annotations

import numpy as np

from microveil.kernels.cell_moves.candidates import collect, go_down, price_of, start_at
from microveil.kernels.cell_moves.space import Move
from tests.kernels.cell_moves.grids import COUNTS, Grid


def test_a_cell_costs_nothing_if_hidden_and_everything_if_it_cannot_move() -> None:
    grid = Grid(COUNTS)
    cell = grid.place["x × u"]
    assert price_of(grid.state, cell, 1.0) == 2
    assert price_of(grid.state, cell, -3.0) == np.inf
    grid.state.hidden[cell] = True
    assert price_of(grid.state, cell, -2.0) == 0
    grid.state.barred[cell] = True
    assert price_of(grid.state, cell, 1.0) == np.inf


def test_the_way_down_ends_at_the_cheapest_finest_cell() -> None:
    grid = Grid(COUNTS)
    move = Move(np.full(2, -1), np.full(2, -1))
    base = start_at(grid.space, grid.state, grid.place["Total × Total"], 0, 1.0, move)
    assert grid.cells.codes_of(base) == "x × u"
    assert (move.leaf >= 0).all()
    assert go_down(grid.space, grid.state, base, 0, 1.0) == base


def test_hidden_cells_come_first_among_those_that_move_against() -> None:
    grid = Grid(COUNTS)
    grid.state.hidden[grid.place["z × u"]] = True
    leaves, prices = np.zeros(4, dtype=np.int64), np.zeros(4)
    way = np.array([grid.place["x × u"], grid.place["x × u"], 0, 0])
    n = collect(grid.space, grid.state, way, 1.0, leaves, prices)
    assert prices[:n].tolist() == [0, 3]
    assert grid.space.leaf_of[0, grid.space.nodes[grid.place["z × u"], 0]] == leaves[0]
