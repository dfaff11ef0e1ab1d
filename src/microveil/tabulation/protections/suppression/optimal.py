"""The cheapest safe pattern, by branch and cut over the intruder's inequalities."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from microveil.arrays import Flags, Floats
from microveil.errors import GoalNotReachedError
from microveil.tabulation.protections.suppression.cuts import Cut, CutModel
from microveil.tabulation.protections.suppression.demands import Problem
from microveil.tabulation.protections.suppression.heuristic import suppress_in_turn
from microveil.tabulation.solver import need_solver

MOST_ROUNDS = 10_000


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best pattern found, and the lowest price that any pattern can have."""

    hidden: Flags
    price: float
    """Price of its secondary suppressions."""
    bound: float
    """No safe pattern is cheaper."""

    @property
    def proved(self) -> bool:
        """Whether the pattern is known to be the cheapest."""
        return self.price <= self.bound + 1e-6 * max(1.0, abs(self.price))


def suppress_optimally(problem: Problem, seconds: float = 60.0) -> Optimum:
    """Search until the cheapest pattern is proved, or for some seconds of processor time."""
    search = _Search(problem, time.process_time() + seconds)
    search.tighten()
    search.branch()
    return Optimum(search.best, search.price, min(search.bound, search.price))


class _Search:
    """A master problem of suppressions, an intruder's problem, and the best pattern so far."""

    def __init__(self, problem: Problem, until: float) -> None:
        self.problem, self._until = problem, until
        self._cuts = CutModel(problem)
        self._master = _master(problem)
        self.best, _ = suppress_in_turn(problem)
        self.price = self._price(self.best)
        self.bound = 0.0

    def _price(self, hidden: Flags) -> float:
        return float(self.problem.costs[hidden & ~self.problem.unsafe].sum())

    def _is_out_of_time(self) -> bool:
        return time.process_time() > self._until

    def tighten(self) -> None:
        """Add inequalities until even fractional patterns satisfy all of them."""
        for _ in range(MOST_ROUNDS):
            pattern, price = self._solve()
            self.bound = max(self.bound, price)
            if self._is_out_of_time() or not self._separate(pattern):
                return

    def branch(self) -> None:
        """Solve for whole suppressions, and add what each such pattern breaks."""
        n = self.problem.system.n_cells
        _set_whole(self._master, n)
        for _ in range(MOST_ROUNDS):
            if self._is_out_of_time() or self.bound >= self.price - 1e-6:
                return
            # The solver's clock counts all its runs.
            left = max(1.0, self._until - time.process_time())
            self._master.setOptionValue("time_limit", self._master.getRunTime() + left)
            pattern, bound = self._solve()
            self.bound = max(self.bound, bound)
            if self._is_out_of_time():
                return
            hidden = np.round(pattern).astype(np.bool_)
            if not self._separate(hidden.astype(np.float64)):
                self._keep(hidden)
                return
            self._try_near(hidden)

    def _try_near(self, hidden: Flags) -> None:
        """Keep a safe pattern near one that is not, if it is the cheapest so far.

        Its problem is hard on the solver, with most prices zero: the search goes on without it.
        """
        cheap = np.where(hidden, 0.0, self.problem.costs)
        with suppress(GoalNotReachedError):
            self._keep(suppress_in_turn(replace(self.problem, costs=cheap))[0])

    def _keep(self, hidden: Flags) -> None:
        price = self._price(hidden)
        if price < self.price - 1e-9:
            self.best, self.price = hidden, price

    def _solve(self) -> tuple[Floats, float]:
        self._master.run()
        found = np.asarray(self._master.getSolution().col_value)
        info = self._master.getInfo()
        bound = info.mip_dual_bound if info.mip_node_count >= 0 else info.objective_function_value
        return np.clip(found, 0.0, 1.0), float(bound)

    def _separate(self, pattern: Floats) -> bool:
        """Add the inequalities that a pattern breaks; whether there are, or may be, any."""
        found = False
        for demand in self.problem.demands:
            if self._is_out_of_time():
                return True  # the rest was not looked at
            cut = self._cuts.separate(demand, pattern)
            if cut is not None:
                _add(self._master, cut)
                found = True
        return found


def _master(problem: Problem) -> Any:
    highspy = need_solver()
    highs = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("mip_rel_gap", 0.0),
    ):
        highs.setOptionValue(option, value)
    n = problem.system.n_cells
    costs = np.where(problem.unsafe, 0.0, problem.costs)
    none = np.zeros(0, dtype=np.int32)
    highs.addCols(
        n,
        costs,
        problem.unsafe.astype(np.float64),
        (~problem.fixed | problem.unsafe).astype(np.float64),
        0,
        none,
        none,
        np.zeros(0),
    )
    return highs


def _set_whole(highs: Any, n: int) -> None:
    highspy = need_solver()
    columns = np.arange(n, dtype=np.int32)
    highs.changeColsIntegrality(n, columns, np.full(n, highspy.HighsVarType.kInteger))


def _add(highs: Any, cut: Cut) -> None:
    used = np.flatnonzero(cut.weights).astype(np.int32)
    highs.addRow(cut.level, highs.inf, len(used), used, cut.weights[used])
