from __future__ import annotations

import pytest

import microveil as mv
from microveil.recipes.frameworks import FRAMEWORKS


def test_a_recipe_keeps_what_it_follows() -> None:
    recipe = mv.Recipe(follows=["ehds", "iso_27559"])
    assert mv.Recipe.from_yaml(recipe.to_yaml()) == recipe
    assert set(recipe.follows) <= set(FRAMEWORKS)


def test_a_rule_that_is_not_known_is_refused_with_a_hint() -> None:
    with pytest.raises(mv.InputError, match="iso_27559"):
        mv.Recipe(follows=["iso_2755"])
