from __future__ import annotations

import pytest

import microveil as mv
from microveil.linked.synthesis.settings import LinkedSynthesis, TableRule
from tests.linked.synthesis.hospital import RECIPE


def test_rules_read_as_they_are_written() -> None:
    assert str(TableRule.parse("a.x<b.y")) == "a.x < b.y"
    with pytest.raises(mv.SpecError, match="reads like"):
        TableRule.parse("a.x between b.y")


def test_a_recipe_survives_yaml() -> None:
    recipe = mv.LinkedRecipe.parse(RECIPE)
    assert mv.LinkedRecipe.from_yaml(recipe.to_yaml()) == recipe


def test_a_generator_must_draw_rows_given_others() -> None:
    private = {"generator": "mst", "epsilon": 1, "delta": 1e-6}
    with pytest.raises(mv.SpecError, match="draws rows given others"):
        LinkedSynthesis.parse({"generator": private})
