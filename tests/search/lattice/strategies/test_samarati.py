from __future__ import annotations

import math
from typing import Any

from hypothesis import given, settings

from microveil.privacy import KAnonymity
from tests.search.exhaustive import exhaustive, frame_of, monotone_problems, searched


@settings(max_examples=8)
@given(monotone_problems)
def test_the_solution_has_the_least_height_of_all(problem: tuple[list[Any], int, float]) -> None:
    some, k, allowed = problem
    most = math.floor(allowed * len(some))
    solutions = exhaustive(frame_of(some), [KAnonymity(k=k)], most, {"loss": "height"})
    optimum = searched(problem, "samarati").optimum
    assert (optimum is None) == (not solutions)
    if optimum is not None:
        assert sum(optimum.levels.values()) == min(sum(levels) for levels in solutions)
