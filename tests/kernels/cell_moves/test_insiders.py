from __future__ import annotations

import numpy as np

from microveil.kernels.cell_moves.insiders import (
    Incidence,
    Owners,
    Suspicions,
    find_suspects,
    meet_insiders,
)
from tests.kernels.cell_moves.grids import COUNTS, Grid, no_moves


def _owners(n: int, sole: dict[int, int]) -> Owners:
    numbers = np.full(n, -1, dtype=np.int64)
    for cell, owner in sole.items():
        numbers[cell] = owner
    cells = np.array(sorted(sole, key=lambda cell: sole[cell]), dtype=np.int64)
    starts = np.searchsorted(sorted(sole.values()), np.arange(max(sole.values()) + 2))
    return Owners(numbers, numbers.copy(), starts.astype(np.int64), cells)


def test_who_owns_a_cell_of_every_move_is_a_suspect() -> None:
    # Moves: {0, 1, 2} and {0, 1, 3}; cell 1 has one owner, cell 3 another.
    known = Incidence(
        np.array([0, 2, 4, 5, 6]),
        np.array([0, 1, 0, 1, 0, 1], dtype=np.int32),
        np.array([0, 3, 6]),
        np.array([0, 1, 2, 0, 1, 3], dtype=np.int32),
    )
    owners = _owners(4, {1: 0, 3: 1})
    assert find_suspects(np.array([0, 1, 2, 3]), owners, known).tolist() == [0, -1, 0, 0]


def test_the_further_move_touches_nothing_that_the_suspect_owns() -> None:
    grid = Grid(COUNTS)
    cell, owned = grid.place["x × u"], grid.place["x × v"]
    found, pairs = no_moves(), Suspicions(np.array([cell]), np.array([0]))
    owners = _owners(grid.cells.n_cells, {owned: 0})
    wanted = grid.wanted("x × u")
    assert meet_insiders(grid.space, grid.state, pairs, owners, wanted, found, 0) == 1
    moved = found.cells[: found.counts[1]].tolist()
    assert cell in moved
    assert owned not in moved
    assert not grid.state.barred.any()
