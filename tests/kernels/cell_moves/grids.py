"""A two-way table as the search for moves sees it."""

from __future__ import annotations

import numpy as np

import microveil as mv
from microveil.arrays import Longs
from microveil.kernels.cell_moves.searching import Found, Wanted
from microveil.kernels.cell_moves.space import MoveSpace, MoveState
from microveil.tabulation.cells import Cells
from microveil.tabulation.protections.suppression.move_space import move_space
from tests.tabulation.instances import people


class Grid:
    """Counts of two variables with their margins; nothing is suppressed yet."""

    def __init__(self, counts: dict[tuple[str, str], int]) -> None:
        made = mv.tabulate(people(counts, ["a", "b"]), mv.Tabulation(by=["a", "b"]))
        self.cells: Cells = made.families[0].cells
        space = move_space(self.cells)
        assert space is not None
        self.space: MoveSpace = space
        self.place = {self.cells.codes_of(at): at for at in range(self.cells.n_cells)}
        n = self.cells.n_cells
        self.state = MoveState(
            np.zeros(n, dtype=np.bool_),
            np.zeros(n, dtype=np.bool_),
            self.cells.values.copy(),
            self.cells.values.copy(),
            np.full(n, 100.0),
            np.zeros(n + 1, dtype=np.int64),
        )

    def wanted(self, *codes: str) -> Wanted:
        """Each of some cells must be able to rise and fall by one."""
        need = np.zeros(self.cells.n_cells)
        need[self.at(*codes)] = 1.0
        return Wanted(need, need.copy(), need <= 0, need <= 0)

    def at(self, *codes: str) -> Longs:
        return np.array([self.place[one] for one in codes])


def no_moves(n: int = 200, room: int = 12_000) -> Found:
    return Found(
        np.zeros(room, dtype=np.int32),
        np.zeros(room, dtype=np.int32),
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(n),
        np.zeros(n),
        np.zeros(2, dtype=np.int64),
    )


COUNTS = {(a, b): 2 + i + 3 * j for i, a in enumerate("xyz") for j, b in enumerate("uvw")}
