from __future__ import annotations

import numpy as np

from microveil.tabulation.protections.suppression.cuts import CutModel
from tests.tabulation.protections.suppression.test_optimal import problem_of


def test_an_unsafe_pattern_breaks_a_cut_that_safe_ones_keep() -> None:
    problem = problem_of(np.array([[5.0, 2.0], [3.0, 4.0]]), [0])
    (demand,) = problem.demands
    alone = problem.unsafe.astype(np.float64)
    cut = CutModel(problem).separate(demand, alone)
    assert cut is not None
    assert cut.slack(alone) < 0
    square = alone.copy()
    square[[0, 1, 3, 4]] = 1.0
    assert cut.slack(square) >= 0
    assert CutModel(problem).separate(demand, square) is None
