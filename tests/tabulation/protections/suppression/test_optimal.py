from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Flags
from microveil.tabulation.audit import audit_cells
from microveil.tabulation.protections.suppression.demands import Demand, Problem
from microveil.tabulation.protections.suppression.heuristic import suppress_in_turn
from microveil.tabulation.protections.suppression.optimal import suppress_optimally
from tests.tabulation.instances import TRAP, TRAP_HIDDEN, grid_system


def problem_of(inner: np.ndarray, unsafe: list[int], costs: np.ndarray | None = None) -> Problem:
    system = grid_system(inner)
    marked = np.zeros(system.n_cells, dtype=np.bool_)
    marked[unsafe] = True
    n = system.n_cells
    return Problem(
        system,
        marked,
        tuple(Demand(cell, 1, 1.0) for cell in unsafe),
        np.ones(n) if costs is None else costs,
        np.zeros(n, dtype=np.bool_),
        system.values.copy(),
        np.full(n, 2 * system.values.max()),
    )


def is_safe(problem: Problem, hidden: Flags) -> bool:
    cells = np.flatnonzero(problem.unsafe)
    found = audit_cells(problem.system, hidden, cells, np.zeros(problem.system.n_cells))
    return bool((found.upper >= problem.system.values[cells] + 1 - 1e-6).all())


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_it_is_the_cheapest_of_all_patterns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    inner = rng.integers(1, 9, (2, 3)).astype(float)
    costs = rng.integers(1, 6, 12).astype(float)
    problem = problem_of(inner, [int(rng.integers(3))], costs)
    best = suppress_optimally(problem, seconds=20)
    assert best.proved
    assert is_safe(problem, best.hidden)
    assert best.price == pytest.approx(_cheapest(problem))
    quick, _ = suppress_in_turn(problem)
    assert is_safe(problem, quick)
    assert costs[quick & ~problem.unsafe].sum() >= best.price


def _cheapest(problem: Problem) -> float:
    """The price of the cheapest safe pattern, by trying all of them."""
    free = np.flatnonzero(~problem.unsafe).tolist()
    prices: list[float] = []
    for size in range(len(free) + 1):
        for some in combinations(free, size):
            price = float(problem.costs[list(some)].sum())
            if prices and price >= min(prices):
                continue
            hidden = problem.unsafe.copy()
            hidden[list(some)] = True
            if is_safe(problem, hidden):
                prices.append(price)
    return min(prices)


def test_the_trap_needs_one_more_cell() -> None:
    problem = problem_of(TRAP, [5 * row + column for row, column in TRAP_HIDDEN])
    found, _ = suppress_in_turn(problem)
    assert (found & ~problem.unsafe).sum() == 1
    assert is_safe(problem, found)


def test_a_small_level_among_large_values_is_met() -> None:
    inner = np.array([[5.0, 40_000.0, 7_000.0], [90_000.0, 20_000.0, 3_000.0], [8.0, 50.0, 900.0]])
    best = suppress_optimally(problem_of(inner, [0], grid_system(inner).values), seconds=10)
    assert best.proved
    assert is_safe(problem_of(inner, [0]), best.hidden)
