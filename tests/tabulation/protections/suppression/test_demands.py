from __future__ import annotations

import numpy as np

from tests.tabulation.protections.suppression.test_optimal import problem_of


def test_the_dearest_cell_comes_first_and_the_earlier_among_equals() -> None:
    problem = problem_of(np.ones((2, 2)), [0], np.array([1.0, 3, 2, 3, 0, 0, 0, 0, 0]))
    assert problem.price_order[:4].tolist() == [1, 3, 2, 0]
