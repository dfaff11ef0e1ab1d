from __future__ import annotations

import numpy as np

from microveil.kernels.cell_moves.searching import Demands, meet_demands
from microveil.kernels.cell_moves.thinning import Proofs, enter_move, thin_out
from tests.kernels.cell_moves.grids import COUNTS, Grid, no_moves


def test_a_cell_that_other_moves_make_needless_is_published_again() -> None:
    grid = Grid(COUNTS)
    wanted, found = grid.wanted("x × u"), no_moves()
    demands = Demands(grid.at("x × u"), np.ones(1, dtype=np.int64))
    meet_demands(grid.space, grid.state, demands, wanted, found, 0)
    n, needed = grid.cells.n_cells, grid.state.hidden.copy()
    grid.state.hidden[grid.at("z × w", "z × v")] = True
    room = len(found.cells)
    proofs = Proofs(
        np.zeros(n, dtype=np.int32),
        np.zeros(n, dtype=np.int32),
        np.zeros(len(found.low), dtype=np.bool_),
        np.full(n, -1, dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros(room, dtype=np.int32),
        np.zeros(room, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    enter_move(found, proofs, wanted, 0)
    spare = np.flatnonzero(grid.state.hidden & (wanted.up <= 0))
    order = spare[np.argsort(-grid.state.costs[spare], kind="stable")]
    thin_out(grid.space, grid.state, order, wanted, found, proofs)
    assert grid.state.hidden.tolist() == needed.tolist()
    assert proofs.up[grid.place["x × u"]] > 0
