from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from tests.search.exhaustive import decides_every_node, monotone_problems


@settings(max_examples=8)
@given(monotone_problems)
def test_every_node_of_a_monotone_problem_is_decided_rightly(
    problem: tuple[list[Any], int, float],
) -> None:
    decides_every_node(problem, "incognito")
