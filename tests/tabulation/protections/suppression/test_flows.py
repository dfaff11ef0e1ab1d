from __future__ import annotations

import numpy as np

from microveil.tabulation.protections.suppression.demands import Demand
from microveil.tabulation.protections.suppression.flows import FlowModel, moved_cells
from tests.tabulation.protections.suppression.test_optimal import problem_of


def test_the_cheapest_flow_keeps_every_sum() -> None:
    problem = problem_of(np.array([[5.0, 2.0], [3.0, 4.0]]), [0], np.arange(1.0, 10.0))
    flow = FlowModel(problem).cheapest(Demand(0, 1, 1.0))
    assert flow is not None
    assert np.allclose(problem.system.matrix @ flow.moves, 0)
    assert flow.moves[0] == 1
    assert np.flatnonzero(moved_cells(flow, problem.unsafe)).tolist() == [1, 3, 4]


def test_a_closed_cell_does_not_move_and_what_is_impossible_is_none() -> None:
    problem = problem_of(np.array([[5.0, 2.0], [3.0, 4.0]]), [0])
    model = FlowModel(problem)
    for cell in range(1, 9):
        model.close(cell)
    assert model.cheapest(Demand(0, 1, 1.0)) is None
    for cell in (1, 3, 4):
        model.open(cell)
    assert model.cheapest(Demand(0, 1, 1.0)) is not None
    assert model.cheapest(Demand(0, 1, 1.0, known=(4,))) is None
