from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from microveil.app import run
from microveil.errors import InputError
from microveil.methods.incognito import Incognito
from microveil.methods.parts.base import Outcome
from microveil.privacy import KAnonymity, LDiversity, TCloseness
from microveil.recipes import Recipe
from microveil.tables import Classes, Roles, Table

KEYS = ("a", "b")
ROLES = Roles(quasi_identifiers=KEYS, sensitive=["s"])
TOPS = {"a": 3, "b": 2}

numbers = st.tuples(st.integers(10, 99), st.integers(1, 9), st.integers(0, 2))


def frame_of(some: list[Any]) -> pl.DataFrame:
    return pl.DataFrame(some, schema=["a", "b", "s"], orient="row")


def applied(frame: pl.DataFrame, **how: Any) -> Outcome:
    return Incognito(**how).apply(Table(frame, ROLES), np.random.default_rng(0))


def released_sizes(some: list[Any], levels: tuple[int, int]) -> list[int]:
    """Class sizes after dropping digits by plain arithmetic."""
    rows = [
        tuple(
            "*" if level == TOPS[key] else row[i] - row[i] % 10**level
            for i, (key, level) in enumerate(zip(KEYS, levels, strict=True))
        )
        for row in some
    ]
    return [rows.count(row) for row in rows]


@settings(max_examples=40)
@given(st.lists(numbers, min_size=3, max_size=25), st.integers(2, 3), st.sampled_from([0.0, 0.2]))
@example([(50, 1, 0), (50, 1, 0), (51, 1, 0)], 2, 0.2)  # a coarser one suppresses and loses less
def test_the_minimal_generalisations_are_all_and_only_the_minimal_ones(
    some: list[Any], k: int, allowed: float
) -> None:
    if len(some) < k:
        return
    # The values must span all digits, so that the type's hierarchies have the heights above.
    some = [*some, *[(99, 9, 0)] * k]
    nodes = list(product(range(4), range(3)))
    most = int(allowed * len(some) + 1e-9)
    good = {node for node in nodes if sum(size < k for size in released_sizes(some, node)) <= most}
    minimal = {
        node
        for node in good
        if not any(other != node and other[0] <= node[0] and other[1] <= node[1] for other in good)
    }
    outcome = applied(frame_of(some), k=k, suppression_share=allowed)
    found = {tuple(levels[key] for key in KEYS) for levels in outcome.facts["minimal"]}
    assert found == minimal
    assert outcome.facts["n_minimal"] == len(minimal)
    assert tuple(outcome.facts["levels"].values()) in minimal
    assert KAnonymity(k=k).verify(Classes.of(outcome.table)).holds


def test_the_minimal_one_that_loses_least_is_released() -> None:
    frame = frame_of([(10 + i, 1 + i % 3, 0) for i in range(30)])
    height = applied(frame, k=3, loss="height").facts
    assert sum(height["levels"].values()) == min(
        sum(levels.values()) for levels in height["minimal"]
    )


def test_the_requirements_of_a_recipe_are_the_goal() -> None:
    frame = frame_of([(10 + i, 1 + i % 3, i // 3 % 3) for i in range(30)])
    recipe = Recipe(
        roles=ROLES, steps=[Incognito()], require=[KAnonymity(k=3), LDiversity(l=2, column="s")]
    )
    release = run(recipe, frame)
    assert release.holds
    assert release.facts[0].facts["strategy"] == "incognito"


def test_goals_that_are_not_monotone_with_suppression_are_refused() -> None:
    frame = frame_of([(10 + i, 1, i % 3) for i in range(30)])
    assert applied(frame, models=[TCloseness(t=0.5)]).facts["n_minimal"] >= 1
    words = "unlike 't_closeness' with suppression. Use the step `optimal_generalization`"
    with pytest.raises(InputError, match=words):
        applied(frame, models=[TCloseness(t=0.5)], suppression_share=0.1)


def test_sets_of_keys_that_are_looked_at_on_the_way_count_toward_the_limit() -> None:
    frame = frame_of([(10 + i, 1 + i % 3, 0) for i in range(30)])
    assert applied(frame, k=3, max_checks=100).facts["proved"]
    with pytest.raises(InputError, match=r"reached its limit .* max_checks"):
        applied(frame, k=3, max_checks=2)


def test_another_strategy_is_no_incognito() -> None:
    with pytest.raises(Exception, match="incognito"):
        Incognito.parse({"k": 2, "strategy": "flash"})


def test_an_empty_table_stays_empty() -> None:
    assert applied(frame_of([(1, 1, 1)]).clear(), k=2).table.height == 0
