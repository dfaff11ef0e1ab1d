from __future__ import annotations

import numpy as np
import pytest

import microveil as mv
from microveil.tabulation.protections.suppression.demands import Problem
from microveil.tabulation.protections.suppression.heuristic import suppress_in_turn
from tests.tabulation.protections.suppression.test_optimal import is_safe, problem_of


@pytest.mark.parametrize("seed", range(8))
def test_its_patterns_are_safe_and_nothing_in_them_is_needless(seed: int) -> None:
    rng = np.random.default_rng(seed)
    inner = rng.integers(1, 20, (4, 5)).astype(float)
    unsafe = rng.choice(20, 3, replace=False)
    problem = problem_of(inner, [int(6 * (at // 5) + at % 5) for at in unsafe])
    hidden, _ = suppress_in_turn(problem)
    assert is_safe(problem, hidden)
    for cell in np.flatnonzero(hidden & ~problem.unsafe):
        fewer = hidden.copy()
        fewer[cell] = False
        assert not is_safe(problem, fewer)


def test_what_cannot_be_protected_is_said() -> None:
    free = problem_of(np.array([[5.0, 2.0], [3.0, 4.0]]), [0])
    fixed = np.ones(9, dtype=np.bool_)
    fixed[0] = False
    problem = Problem(
        free.system, free.unsafe, free.demands, free.costs, fixed, free.below, free.above
    )
    with pytest.raises(mv.GoalNotReachedError, match="8 must be published"):
        suppress_in_turn(problem)
