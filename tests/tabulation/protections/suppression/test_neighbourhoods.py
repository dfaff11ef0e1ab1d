from __future__ import annotations

import numpy as np

from microveil.tabulation.protections.suppression.demands import Demand
from microveil.tabulation.protections.suppression.neighbourhoods import flow_nearby, neighbourhood
from tests.tabulation.protections.suppression.test_optimal import problem_of

INNER = np.arange(1.0, 101.0).reshape(10, 10)


def test_a_neighbourhood_shares_sums_and_has_cheap_cells_first() -> None:
    problem = problem_of(INNER, [0], costs=np.arange(121.0))
    near = neighbourhood(problem, 0, problem.unsafe, 6)
    assert 0 in near
    assert len(near) < 121
    assert np.isin([1, 2], near).all()
    assert len(neighbourhood(problem, 0, problem.unsafe, 500)) == 121


def test_a_flow_keeps_every_sum() -> None:
    problem = problem_of(INNER, [0])
    found = flow_nearby(problem, Demand(0, 1, 1.0), problem.unsafe)
    assert found is not None
    moves = np.zeros(121)
    moves[found[0]] = found[1]
    assert moves[0] == 1
    assert not np.abs(problem.system.matrix @ moves).max()


def test_there_is_none_where_nothing_else_may_move() -> None:
    problem = problem_of(INNER, [0])
    problem.fixed[1:] = True
    assert flow_nearby(problem, Demand(0, 1, 1.0), problem.unsafe) is None
