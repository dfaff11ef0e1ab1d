from __future__ import annotations

from tests.tabulation.instances import TRAP, grid_system


def test_a_table_with_margins_adds_up_and_a_wrong_one_is_found() -> None:
    system = grid_system(TRAP)
    assert (system.n_cells, system.n_equations, system.is_additive()) == (25, 10, True)
    system.values[0] += 1
    assert system.gaps().tolist() == [0, 5]
