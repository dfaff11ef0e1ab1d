from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
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


def test_without_time_it_keeps_to_a_safe_pattern() -> None:
    inner = np.random.default_rng(3).integers(1, 30, (6, 8)).astype(float)
    problem = problem_of(inner, [0, 11, 29])
    best = suppress_optimally(problem, seconds=1e-9)
    assert is_safe(problem, best.hidden)
    assert best.bound <= best.price


DATA = Path(__file__).parents[3] / "data" / "tables"


def _activities() -> dict[str, Any]:
    tree: dict[str, Any] = {}
    codes = pl.read_csv(DATA / "activity_corr_table.csv", infer_schema=False)
    for *above, parent, leaf in codes.iter_rows():
        at = tree
        for code in above:
            at = at.setdefault(code, {})
        at.setdefault(parent, []).append(leaf)
    return tree


@pytest.mark.slow
def test_turnover_by_activity_and_size_is_proved_with_fewer_cells_than_published() -> None:
    """Instance T7 of Insee's `rtauargus`: 77 primary cells, 64 further ones there."""
    texts = dict.fromkeys(["ACTIVITY", "SIZE"], pl.String)
    table = mv.Tabulation(
        by=["ACTIVITY", "SIZE"],
        value="TOT",
        cells=mv.CellColumns(count="N_OBS", total="TOT", largest=["MAX"]),
        hierarchies={"ACTIVITY": {"hierarchy": "tree", "tree": _activities()}},
    )
    made = mv.tabulate(
        pl.read_csv(DATA / "turnover_act_size.csv", schema_overrides=texts),
        table,
        rules=[mv.Threshold(n=3, level=10), mv.Dominance(n=1, k=85)],
        protect=mv.Suppress(method="optimal", cost="cells", seconds=300),
    )
    (frame,) = made.frames.values()
    assert frame.filter(status="unsafe").height == 77
    assert frame.filter(status="secondary").height <= 64
    assert made.facts[0]["price"] == pytest.approx(made.facts[0]["lowest_price"])
