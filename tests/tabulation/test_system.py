from __future__ import annotations

import numpy as np

from tests.tabulation.instances import TRAP, TRAP_HIDDEN, grid_system


def test_a_table_with_margins_adds_up_and_a_wrong_one_is_found() -> None:
    system = grid_system(TRAP)
    assert (system.n_cells, system.n_equations, system.is_additive()) == (25, 10, True)
    system.values[0] += 1
    assert system.gaps().tolist() == [0, 5]


def test_subtraction_alone_does_not_find_the_trap() -> None:
    system = grid_system(TRAP)
    hidden = np.zeros(25, dtype=np.bool_)
    hidden[[5 * row + column for row, column in TRAP_HIDDEN]] = True
    assert not system.find_determined(hidden).any()
    hidden[0] = False
    assert system.find_determined(hidden).any()


def test_cells_that_share_no_sum_are_apart() -> None:
    system = grid_system(TRAP)
    some = system.among(np.array([0, 1, 18, 23]))
    assert len(set(some.components().tolist())) == 2
