"""Rounding: every cell becomes a multiple of a base."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Floats
from microveil.errors import GoalNotReachedError, InputError
from microveil.specs import Spec
from microveil.tabulation.cells import Cells
from microveil.tabulation.solver import need_solver

RoundingMethod = Literal["nearest", "random", "controlled"]


class RoundCells(Spec):
    """Round every cell to a multiple of a base.

    ``nearest`` and ``random`` round cell by cell, so that parts need not add up to their totals.
    ``controlled`` keeps every sum and moves each cell by less than the base (Cox 1987).
    """

    tag: ClassVar[str | None] = "protection"
    protection: Literal["round_cells"] = "round_cells"
    base: int = Field(default=5, ge=2)
    """Multiples of this number are published."""
    method: RoundingMethod = "controlled"
    """``nearest``: halves go up. ``random``: up with a probability that leaves the mean as it is.
    ``controlled``: as near as possible while all sums hold."""
    seconds: float = Field(default=60.0, gt=0)
    """Processor time for the search for the nearest table that adds up."""

    def round_values(self, cells: Cells, rng: np.random.Generator) -> Floats:
        """The published value of each cell."""
        values = cells.values
        if (values != np.round(values)).any():
            msg = "Rounding needs whole numbers: a table of counts."
            raise InputError(msg)
        low = np.floor(values / self.base)
        rest = values - low * self.base
        if self.method == "nearest":
            return np.asarray(self.base * (low + (2 * rest >= self.base)))
        if self.method == "random":
            return np.asarray(self.base * (low + (rng.random(len(values)) * self.base < rest)))
        return self.base * (low + self._steps(cells, low, rest))

    def _steps(self, cells: Cells, low: Floats, rest: Floats) -> Floats:
        """Which cells go up: whole numbers that keep every sum, at the smallest distance."""
        highspy = need_solver()
        highs, n = highspy.Highs(), cells.n_cells
        for option, value in (
            ("output_flag", False),
            ("threads", 1),
            ("random_seed", 0),
            ("time_limit", self.seconds),
        ):
            highs.setOptionValue(option, value)
        matrix = cells.system.by_cell
        sides = -np.asarray(cells.system.matrix @ low)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = n, cells.system.n_equations
        lp.col_cost_ = self.base - 2 * rest
        lp.col_lower_, lp.col_upper_ = np.zeros(n), (rest > 0).astype(np.float64)
        lp.row_lower_ = lp.row_upper_ = sides
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_, lp.a_matrix_.index_ = matrix.indptr, matrix.indices
        lp.a_matrix_.value_ = matrix.data
        lp.integrality_ = [highspy.HighsVarType.kInteger] * n
        highs.passModel(lp)
        highs.run()
        found = np.asarray(highs.getSolution().col_value)
        if not highs.getSolution().value_valid or len(found) != n:
            msg = (
                f"No table of multiples of {self.base} keeps every sum while each cell moves by "
                "less than the base. Publish fewer tables together, or round to the nearest."
            )
            raise GoalNotReachedError(msg)
        return np.round(found)
