from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import microveil as mv
from microveil.app.exploration.points import MOST_POINTS, settings_of
from microveil.errors import InputError

RECIPE = mv.Recipe.from_yaml(
    """
roles: {quasi_identifiers: [age]}
steps: [{method: suppress_records, k: 2}]
require: [{model: k_anonymity, k: 2}]
"""
)


def values(grid: Any, **more: Any) -> list[dict[str, Any]]:
    return [dict(one.values) for one in settings_of(RECIPE, grid, None, **more)]


def test_all_combinations_are_points() -> None:
    found = values({"steps.0.k": [2, 3], "require.0.k": [2, 5, 9]})

    assert len(found) == 6
    assert found[1] == {"steps.0.k": 2, "require.0.k": 5}


def test_numpy_numbers_are_values_too() -> None:
    found = settings_of(RECIPE, {"steps.0.k": np.array([2, 3])}, None)  # type: ignore[dict-item]  # users do

    assert [type(one.values["steps.0.k"]) for one in found] == [int, int]


def test_points_can_be_listed_one_by_one() -> None:
    listed = [{"steps.0.k": 2}, {"steps.0.k": 3, "require.0.k": 3}]

    assert values(listed) == listed


def test_joined_paths_take_the_same_value() -> None:
    (one, two) = settings_of(RECIPE, {"steps.0.k + require.0.k": [4, 7]}, None)

    assert one.recipe is not None
    assert two.recipe is not None
    assert (two.recipe.steps[0].k, two.recipe.require[0].k) == (7, 7)  # type: ignore[union-attr,attr-defined]  # both have a k


def test_without_a_grid_the_recipe_itself_is_the_point() -> None:
    (only,) = settings_of(RECIPE, None, None)

    assert only.recipe == RECIPE


def test_the_same_recipe_has_the_same_digest_whatever_grid_it_comes_from() -> None:
    few = settings_of(RECIPE, {"steps.0.k": [2, 9]}, None)
    many = settings_of(RECIPE, {"steps.0.k": [9, 5], "require.0.k": [2]}, None)

    assert few[1].digest == many[0].digest
    assert len({one.digest for one in (*few, *many)}) == 3


def test_a_value_that_does_not_fit_stays_as_a_point_with_its_problem() -> None:
    good, bad = settings_of(RECIPE, {"steps.0.k": [2, 1]}, None)

    assert good.problem is None
    assert bad.recipe is None
    assert "greater than or equal to 2" in str(bad.problem)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"steps.9.k": [2]}, "nothing at 'steps.9.k'"),
        ({"steps.0.max_shar": [0.1]}, "Did you mean 'max_share'"),
        ({"steps.0.k": 3}, "as a list"),
        ({"steps.0.k": "3,5"}, "as a list"),
        ({"steps.0.k": []}, "no value for 'steps.0.k'"),
        (["steps.0.k"], "lists points as mappings"),
        ({"steps.0.k": range(2, MOST_POINTS + 4)}, "the limit is"),
        ({f"steps.0.{name}": range(99) for name in "abcdefghijk"}, "the limit is"),
    ],
)
def test_a_grid_that_cannot_be_meant_is_refused(grid: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        settings_of(RECIPE, grid, None)


def test_alternatives_take_the_grid_or_bring_their_own() -> None:
    other = mv.Recipe(steps=[mv.Round(columns=["age"], base=5)])
    found = settings_of(
        RECIPE,
        {"steps.0.k": [2, 3]},
        {"same": RECIPE, "own": (other, {"steps.0.base": [5, 10]}), "alone": (other, {})},
    )

    assert [one.name for one in found] == [
        "recipe",
        "recipe",
        "same",
        "same",
        "own",
        "own",
        "alone",
    ]


def test_an_alternative_has_a_name_of_its_own() -> None:
    with pytest.raises(InputError, match="rename it"):
        settings_of(RECIPE, None, {"recipe": RECIPE})
    named = settings_of(RECIPE, None, {"recipe": RECIPE}, "first")
    assert [one.name for one in named] == ["first", "recipe"]
