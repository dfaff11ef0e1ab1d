from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from microveil.search.lattice.lattice_search import search_lattice
from tests.search.exhaustive import (
    HIERARCHIES,
    ROLES,
    finds_the_optimum,
    problems,
    table,
)


@settings(max_examples=15)
@given(problems)
def test_the_optimum_is_the_least_loss_of_all_generalisations(
    problem: tuple[list[Any], int, float, str, float],
) -> None:
    finds_the_optimum(problem, "best_first")


def test_a_limit_ends_the_search_and_the_result_says_so() -> None:
    result = search_lattice(
        table(), ROLES, k=4, hierarchies=HIERARCHIES, strategy="best_first", max_checks=3
    )
    assert result.limited
    assert not result.proved
    assert result.n_checked < result.n_nodes
