from __future__ import annotations

import numpy as np

from microveil.kernels.cell_moves.space import Move, list_nodes, next_cell, open_lists
from tests.kernels.cell_moves.grids import COUNTS, Grid


def test_a_move_of_pairs_touches_the_corners_and_no_margin() -> None:
    grid = Grid(COUNTS)
    lists = open_lists(2, grid.space.chains.shape[3])
    n = list_nodes(grid.space, 0, Move(np.array([0, 0]), np.array([1, 2])), lists)
    found = dict(next_cell(grid.space, lists) for _ in range(n))
    at = grid.place
    assert found == {at["x × u"]: 1, at["y × u"]: -1, at["x × w"]: -1, at["y × w"]: 1}


def test_without_a_pair_the_margins_move_too() -> None:
    grid = Grid(COUNTS)
    lists = open_lists(2, grid.space.chains.shape[3])
    n = list_nodes(grid.space, 0, Move(np.array([0, 0]), np.array([1, -1])), lists)
    found = dict(next_cell(grid.space, lists) for _ in range(n))
    names = {grid.cells.codes_of(cell): sign for cell, sign in found.items()}
    assert names == {"x × u": 1, "y × u": -1, "x × Total": 1, "y × Total": -1}
