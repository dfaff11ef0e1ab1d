"""The cheapest way to move one cell while every sum still holds, by linear programming."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microveil.arrays import Flags, Floats
from microveil.tabulation.protections.suppression.demands import Demand, Problem
from microveil.tabulation.solver import need_solver

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALLEST_MOVE = 1e-7
"""Moves below this share of a demand are noise of the solver."""


MOST_INTERIOR_STEPS = 200
"""Of the interior-point method, which converges in some tens or not at all."""
MOST_STEPS = 100_000
"""Steps of the simplex method after which a problem is taken up by another one."""
HIGHEST_PRICE = 1e6
"""Prices are scaled to this, which keeps them within the solver's accuracy."""


class Flow(NamedTuple):
    """Deviations of all cells that meet a demand."""

    moves: Floats
    """Deviation of each cell from its true value."""
    price: float
    """Cost of the cells that it would newly suppress, as the solver weighs them."""


class FlowModel:
    """One model of all deviations, changed from question to question and started warm.

    Each cell has a move up and a move down; published cells move at a price, suppressed ones for
    nothing. The cheapest flow through a cell shows what must be suppressed with it.
    """

    def __init__(self, problem: Problem) -> None:
        """Build the model: every cell at its own price."""
        self.problem = problem
        self._n = problem.system.n_cells
        above = np.where(problem.fixed, 0.0, problem.above)
        below = np.where(problem.fixed, 0.0, problem.below)
        self._limits = np.concatenate([above, below])
        self._highs = _model(problem, self._limits)

    def set_prices(self, prices: Floats) -> None:
        """Price each cell anew: 0 for those that are suppressed already."""
        columns = np.arange(2 * self._n, dtype=np.int32)
        prices = prices * (HIGHEST_PRICE / max(float(prices.max(initial=0.0)), 1e-12))
        self._highs.changeColsCost(2 * self._n, columns, np.concatenate([prices, prices]))

    def close(self, cell: int) -> None:
        """Publish a cell for good: it can no longer move."""
        for column in (cell, cell + self._n):
            self._limits[column] = 0.0
            self._highs.changeColBounds(column, 0.0, 0.0)

    def open(self, cell: int) -> None:
        """Let a closed cell move again."""
        for column, limit in (
            (cell, self.problem.above[cell]),
            (cell + self._n, self.problem.below[cell]),
        ):
            self._limits[column] = limit
            self._highs.changeColBounds(column, 0.0, limit)

    def cheapest(self, demand: Demand, *, doubting: bool = True) -> Flow | None:
        """The cheapest flow that meets a demand, or None if there is none.

        ``doubting``: a "no" is asked for twice; elsewhere a wrong one costs a cell at most.
        """
        highspy = need_solver()
        with self._held(demand):
            self._highs.run()
            if doubting and self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                self._start_cold()
            if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                return None
            found = np.asarray(self._highs.getSolution().col_value)
            price = float(self._highs.getObjectiveValue())
        moves = found[: self._n] - found[self._n :]
        moves[np.abs(moves) < SMALLEST_MOVE * demand.level] = 0.0
        return Flow(moves, price)

    def _start_cold(self) -> None:
        """Solve once more from scratch: a warm start can mislead where numbers differ widely."""
        optimal = need_solver().HighsModelStatus.kOptimal
        for solver in ("simplex", "ipm"):
            self._highs.clearSolver()
            self._highs.setOptionValue("solver", solver)
            self._highs.run()
            if self._highs.getModelStatus() == optimal:
                break
        self._highs.setOptionValue("solver", "choose")

    @contextmanager
    def _held(self, demand: Demand) -> Iterator[None]:
        """Hold the cell at its level, and what the intruder knows at its true value."""
        up, down = demand.cell, demand.cell + self._n
        moving, resting = (up, down) if demand.direction > 0 else (down, up)
        held = [resting, *(cell + side for cell in demand.known for side in (0, self._n))]
        self._highs.changeColBounds(moving, demand.level, demand.level)
        for column in held:
            self._highs.changeColBounds(column, 0.0, 0.0)
        try:
            yield
        finally:
            for column in (moving, *held):
                self._highs.changeColBounds(column, 0.0, float(self._limits[column]))


def _model(problem: Problem, limits: Floats) -> Any:
    highspy = need_solver()
    highs = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("simplex_iteration_limit", MOST_STEPS),
        ("ipm_iteration_limit", MOST_INTERIOR_STEPS),
    ):
        highs.setOptionValue(option, value)
    matrix, n = problem.system.by_cell, problem.system.n_cells
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = 2 * n, problem.system.n_equations
    lp.col_cost_ = np.concatenate([problem.costs, problem.costs])
    lp.col_lower_, lp.col_upper_ = np.zeros(2 * n), limits
    lp.row_lower_ = lp.row_upper_ = np.zeros(lp.num_row_)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.concatenate([matrix.indptr, matrix.indptr[1:] + matrix.nnz])
    lp.a_matrix_.index_ = np.concatenate([matrix.indices, matrix.indices])
    lp.a_matrix_.value_ = np.concatenate([matrix.data, -matrix.data])
    highs.passModel(lp)
    return highs


def moved_cells(flow: Flow, hidden: Flags) -> Flags:
    """The published cells that a flow moves."""
    return np.asarray((flow.moves != 0) & ~hidden)
