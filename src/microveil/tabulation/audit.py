"""The audit: what an intruder can compute of each suppressed cell, by linear programming.

It shares no code with the protections: it sees the cells, the sums, and which cells are published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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

    def of(self, cell: int) -> tuple[float, float]:
        """The interval of one cell."""
        place = int(np.flatnonzero(self.cells == cell)[0])
        return float(self.lower[place]), float(self.upper[place])


def audit_cells(
    system: System,
    hidden: Flags,
    cells: Longs,
    floor: Floats,
    *,
    known: Longs | None = None,
    progress: Progress = silent,
) -> Intervals:
    """The interval of each of some suppressed cells.

    ``floor`` is what everybody knows: no value is below it. ``known`` are further suppressed cells
    that the intruder knows, being their only contributor.
    """
    free = hidden.copy()
    if known is not None:
        free[known] = False
    lower, upper = system.values[cells].copy(), system.values[cells].copy()
    unknown = np.flatnonzero(free & ~_derive_by_subtraction(system, free))
    place = np.full(system.n_cells, -1)
    place[unknown] = np.arange(len(unknown))
    part = _parts(system, unknown)
    asked = np.flatnonzero(place[cells] >= 0)
    n_done = 0
    for number in np.unique(part[place[cells[asked]]]):
        members = unknown[part == number]
        mine = asked[part[place[cells[asked]]] == number]
        solver = _Solver(system, members, floor)
        for at in mine.tolist():
            lower[at], upper[at] = solver.interval(int(cells[at]))
            n_done += 1
            progress(n_done, len(asked), "Auditing cells")
    return Intervals(cells, lower, upper)


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
    some = system.matrix.tocsc()[:, unknown]
    touching = abs(some).T @ abs(some)
    return np.asarray(sparse.csgraph.connected_components(touching, directed=False)[1])


class _Solver:
    """Smallest and largest deviations of the cells of one connected part, each started warm."""

    def __init__(self, system: System, members: Longs, floor: Floats) -> None:
        self._place = {int(cell): at for at, cell in enumerate(members)}
        self._values = system.values[members]
        self._highs = _intruder(system.matrix.tocsc()[:, members], floor[members] - self._values)

    def interval(self, cell: int) -> tuple[float, float]:
        """The interval of one cell."""
        at = self._place[cell]
        value = float(self._values[at])
        return value + self._lowest(at, 1.0), value - self._lowest(at, -1.0)

    def _lowest(self, at: int, sign: float) -> float:
        """The smallest deviation (sign 1), or the largest with its sign turned (sign −1)."""
        import highspy

        self._highs.changeColCost(at, sign)
        self._highs.run()
        status = self._highs.getModelStatus()
        found = float(self._highs.getInfo().objective_function_value)
        self._highs.changeColCost(at, 0.0)
        kinds = highspy.HighsModelStatus
        if status == kinds.kOptimal:
            return found
        if status in {kinds.kUnbounded, kinds.kUnboundedOrInfeasible}:  # the truth is feasible
            return -np.inf
        # An interval that was not found is no proof: the cell counts as disclosed.
        return 0.0


def _intruder(matrix: sparse.csc_array, lowest: Floats) -> Any:
    """The intruder's problem: deviations that keep every published sum and stay above a floor."""
    highspy = need_solver()
    n_rows, n = matrix.shape
    highs = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("random_seed", 0)):
        highs.setOptionValue(option, value)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n, n_rows
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.zeros(n), lowest, np.full(n, highs.inf)
    lp.row_lower_ = lp.row_upper_ = np.zeros(n_rows)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = matrix.indptr, matrix.indices
    lp.a_matrix_.value_ = matrix.data
    highs.passModel(lp)
    return highs
