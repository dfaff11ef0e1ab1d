"""What an intruder can compute of each suppressed cell, by linear programming.

It shares no code with the protections: it sees the cells, the sums, and which cells are published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Floats, Longs
from microveil.progress import Progress, silent
from microveil.tabulation.solver import need_solver
from microveil.tabulation.system import System

TOLERANCE = 1e-6
"""Relative error of the solver that an interval may have."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """What an intruder can compute of some cells."""

    cells: Longs
    lower: Floats
    """Smallest value that agrees with everything published."""
    upper: Floats
    """Largest such value; infinite if nothing bounds it."""
    exact: bool = True
    """Whether these are the narrowest intervals; otherwise each is at least so wide."""

    def of(self, cell: int) -> tuple[float, float]:
        """The interval of one cell."""
        place = int(np.flatnonzero(self.cells == cell)[0])
        return float(self.lower[place]), float(self.upper[place])


class Ends(NamedTuple):
    """The ends of an interval, with the other tables that reach them."""

    lower: float
    upper: float
    moves: tuple[Floats, Floats]
    """Deviations of the cells of the part that reach the lower and the upper end."""


def audit_cells(
    system: System,
    hidden: Flags,
    cells: Longs,
    floor: Floats,
    *,
    ceiling: Floats | None = None,
    known: Longs | None = None,
    progress: Progress = silent,
) -> Intervals:
    """The interval of each of some suppressed cells.

    ``floor`` and ``ceiling`` are what everybody knows: no value is beyond them. ``known`` are
    further suppressed cells that the intruder knows, being their only contributor.
    """
    free = hidden.copy()
    if known is not None:
        free[known] = False
    intruder = Intruder(system, free, floor, ceiling)
    lower, upper = system.values[cells].copy(), system.values[cells].copy()
    order = np.argsort(intruder.part_of(cells), kind="stable")
    for n_done, at in enumerate(order.tolist()):
        lower[at], upper[at], _ = intruder.ends(int(cells[at]))
        progress(n_done + 1, len(order), "Auditing cells")
    return Intervals(cells, lower, upper)


class Intruder:
    """Who sees everything that is published, and asks for one cell after the other."""

    def __init__(
        self, system: System, free: Flags, floor: Floats, ceiling: Floats | None = None
    ) -> None:
        """Leave out what follows by subtraction, and cut the rest into connected parts."""
        self._system, self._floor = system, floor
        self._ceiling = np.full(system.n_cells, np.inf) if ceiling is None else ceiling
        self._unknown = np.flatnonzero(free & ~_derive_by_subtraction(system, free))
        self._parts = np.full(system.n_cells, -1)
        self._parts[self._unknown] = _parts(system, self._unknown)
        self._solver: tuple[int, _Solver] | None = None

    def part_of(self, cells: Longs) -> Longs:
        """The connected part of each cell; −1 if it follows by subtraction."""
        return np.asarray(self._parts[cells])

    def ends(self, cell: int, known: Sequence[int] = ()) -> Ends:
        """The interval of a cell, for someone who knows some others too."""
        part = int(self._parts[cell])
        if part < 0:
            value = float(self._system.values[cell])
            return Ends(value, value, (np.zeros(0), np.zeros(0)))
        if self._solver is None or self._solver[0] != part:
            members = self.members(part)
            self._solver = part, _Solver(self._system, members, self._floor, self._ceiling)
        return self._solver[1].ends(cell, known)

    def members(self, part: int) -> Longs:
        """The cells of a connected part."""
        return np.asarray(self._unknown[self._parts[self._unknown] == part])


def _derive_by_subtraction(system: System, hidden: Flags) -> Flags:
    """Hidden cells that follow by repeated subtraction: no solver is needed for these."""
    size, left = abs(system.matrix), hidden.copy()
    while True:
        alone = (size @ left.astype(np.float64)) == 1
        found = left & (np.asarray(size[alone].sum(axis=0)).ravel() > 0)
        if not found.any():
            return hidden & ~left
        left &= ~found


def _parts(system: System, unknown: Longs) -> Longs:
    """The connected part of each unknown cell: cells of different parts do not bear on another."""
    some = abs(system.by_cell[:, unknown])
    n = some.shape[1]
    both = sparse.block_array([[None, some.T], [some, None]]).tocsr() if n else None
    if both is None:
        return np.zeros(0, dtype=np.int64)
    labels = sparse.csgraph.connected_components(both, directed=False)[1]
    return np.asarray(labels[:n], dtype=np.int64)


class _Solver:
    """Smallest and largest deviations of the cells of one connected part, each started warm."""

    def __init__(self, system: System, members: Longs, floor: Floats, ceiling: Floats) -> None:
        self._place = {int(cell): at for at, cell in enumerate(members)}
        self._values = system.values[members]
        self._low = floor[members] - self._values
        self._high = ceiling[members] - self._values
        matrix = system.by_cell[:, members].tocsr()
        used = np.diff(matrix.indptr) > 0
        self._highs = _intruder(matrix[used].tocsc(), self._low, self._high)

    def ends(self, cell: int, known: Sequence[int]) -> Ends:
        """The interval of one cell."""
        at = self._place[cell]
        held = [self._place[other] for other in known if other in self._place]
        for place in held:
            self._highs.changeColBounds(place, 0.0, 0.0)
        value = float(self._values[at])
        low, down = self._lowest(at, 1.0)
        high, up = self._lowest(at, -1.0)
        for place in held:
            self._highs.changeColBounds(place, self._low[place], self._high[place])
        return Ends(value + low, value - high, (down, up))

    def _lowest(self, at: int, sign: float) -> tuple[float, Floats]:
        """The smallest deviation (sign 1), or the largest with its sign turned (sign −1)."""
        import highspy

        self._highs.changeColCost(at, sign)
        self._highs.run()
        status = self._highs.getModelStatus()
        found = float(self._highs.getInfo().objective_function_value)
        moves = np.asarray(self._highs.getSolution().col_value)
        self._highs.changeColCost(at, 0.0)
        kinds = highspy.HighsModelStatus
        if status == kinds.kOptimal:
            return found, moves
        if status in {kinds.kUnbounded, kinds.kUnboundedOrInfeasible}:  # the truth is feasible
            return -np.inf, moves
        # An interval that was not found is no proof: the cell counts as disclosed.
        return 0.0, np.zeros(0)


def _intruder(matrix: sparse.csc_array, lowest: Floats, highest: Floats) -> Any:
    """The intruder's problem: deviations that keep every published sum and stay within bounds."""
    highspy = need_solver()
    n_rows, n = matrix.shape
    highs = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("random_seed", 0)):
        highs.setOptionValue(option, value)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n, n_rows
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.zeros(n), lowest, highest
    lp.row_lower_ = lp.row_upper_ = np.zeros(n_rows)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = matrix.indptr, matrix.indices
    lp.a_matrix_.value_ = matrix.data
    highs.passModel(lp)
    return highs
