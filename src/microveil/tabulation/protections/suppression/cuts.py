"""Inequalities that every safe pattern satisfies, from the duals of an intruder's problem."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from microveil.arrays import Floats
from microveil.tabulation.protections.suppression.demands import Demand, Problem
from microveil.tabulation.solver import need_solver

FAINT = 1e-4
"""How far cells that are not suppressed may move in the intruder's problem: among equal duals the
solver then prefers those that ask for few such cells, which makes the stronger inequality."""


class Cut(NamedTuple):
    """Σ weights · suppressed ≥ level (Fischetti & Salazar-González 2001)."""

    weights: Floats
    level: float

    def slack(self, pattern: Floats) -> float:
        """How far a pattern satisfies it; negative if it does not."""
        return float(self.weights @ pattern) - self.level


class CutModel:
    """How far a cell can move under a pattern, whole or fractional."""

    def __init__(self, problem: Problem) -> None:
        """Build the intruder's problem: one variable per cell, its deviation."""
        self.problem = problem
        self._highs = _deviations(problem)
        self._columns = np.arange(problem.system.n_cells, dtype=np.int32)

    def separate(self, demand: Demand, pattern: Floats) -> Cut | None:
        """The inequality that a pattern breaks, or None if it meets the demand."""
        # A small level can be reached by faint moves alone: only without them a "no" is a proof.
        for faint in (FAINT, 0.0):
            cut = self._strongest(demand, pattern, faint)
            if cut.slack(pattern) < -1e-6 * demand.level:
                return cut
        return None

    def _strongest(self, demand: Demand, pattern: Floats, faint: float) -> Cut:
        """The inequality of the duals, where published cells may move faintly."""
        problem, n = self.problem, len(self._columns)
        share = np.maximum(pattern, faint * ~problem.fixed)
        share[list(demand.known)] = 0.0
        below, above = problem.below * share, problem.above * share
        self._highs.changeColsBounds(n, self._columns, -below, above)
        self._highs.changeColCost(demand.cell, -float(demand.direction))
        self._highs.run()
        duals = np.asarray(self._highs.getSolution().col_dual)
        self._highs.changeColCost(demand.cell, 0.0)
        weights = np.where(duals > 0, duals * problem.below, -duals * problem.above)
        weights[list(demand.known)] = 0.0
        weights = np.where(weights < 1e-9 * demand.level, 0.0, np.minimum(weights, demand.level))
        return Cut(weights, demand.level)


def _deviations(problem: Problem) -> Any:
    highspy = need_solver()
    highs = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("random_seed", 0)):
        highs.setOptionValue(option, value)
    matrix, n = problem.system.by_cell, problem.system.n_cells
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n, problem.system.n_equations
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.zeros(n), np.zeros(n), np.zeros(n)
    lp.row_lower_ = lp.row_upper_ = np.zeros(lp.num_row_)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = matrix.indptr, matrix.indices
    lp.a_matrix_.value_ = matrix.data
    highs.passModel(lp)
    return highs
