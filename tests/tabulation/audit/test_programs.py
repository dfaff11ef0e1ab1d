from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.tabulation.audit import audit_cells
from tests.tabulation.attack import interval
from tests.tabulation.instances import TRAP, TRAP_HIDDEN, grid_system, random_people


def test_the_trap_is_seen_and_one_more_suppression_closes_it() -> None:
    system = grid_system(TRAP)
    hidden = np.zeros(25, dtype=np.bool_)
    for row, column in TRAP_HIDDEN:
        hidden[5 * row + column] = True
    found = audit_cells(system, hidden, np.flatnonzero(hidden), np.zeros(25))
    assert found.of(1) == pytest.approx((47, 47))
    assert found.of(0) == pytest.approx((25, 94))
    hidden[5 * 1 + 1] = True
    low, high = audit_cells(system, hidden, np.array([1]), np.zeros(25)).of(1)
    assert (low, high) == pytest.approx((0, 78)) or high - low > 0


def test_the_handbook_s_feasibility_interval() -> None:
    # Hundepool et al. 2012, example 3 of section 4.2: X11 is between 3 and 6.
    system = grid_system(np.array([[5.0, 2.0], [1.0, 2.0], [3.0, 3.0]]))
    hidden = np.zeros(12, dtype=np.bool_)
    hidden[[0, 1, 3, 4]] = True
    assert audit_cells(system, hidden, np.array([0]), np.zeros(12)).of(0) == pytest.approx((3, 6))


def test_who_knows_a_cell_learns_more() -> None:
    system = grid_system(np.array([[5.0, 2.0], [1.0, 2.0]]))
    hidden = np.array([True, True, False, True, True, False, False, False, False])
    cell = np.array([0])
    low, high = audit_cells(system, hidden, cell, np.zeros(9)).of(0)
    assert high > low
    known = np.array([4])
    assert audit_cells(system, hidden, cell, np.zeros(9), known=known).of(0) == (5, 5)


@given(st.integers(0, 10**6))
def test_no_unsafe_cell_can_be_computed_by_another_program(seed: int) -> None:
    """The release of random tables, attacked through their inner cells by a program of its own."""
    rng = np.random.default_rng(seed)
    sizes = tuple(int(size) for size in rng.integers(2, 4, size=int(rng.integers(2, 4))))
    frame = random_people(rng, sizes, most=6)
    made = mv.tabulate(frame, mv.Tabulation(by=frame.columns), rules=[mv.Threshold(n=3)])
    (table,) = made.frames.values()
    for row in table.filter(pl.col("status") == "unsafe").iter_rows():
        low, high = interval(frame.unique().rows(), table, row[: len(sizes)])
        assert high - low > 0.5
