from __future__ import annotations

import pytest

import microveil as mv
from microveil.recipes.frameworks import FRAMEWORKS
from microveil.reports.contents.checklists import checklists_of
from tests.app.preset_recipes.cases import patients


@pytest.mark.parametrize("name", sorted(set(FRAMEWORKS) - {"hipaa_safe_harbor"}))
def test_the_recipe_follows_its_rule_and_its_lines_are_filled(name: str) -> None:
    frame = patients()
    recipe = mv.preset(name, frame, threshold=0.2)
    assert recipe.follows == (name,)
    (found,) = checklists_of(mv.run(recipe, frame, seed=1))
    assert found.name == name
    risk = [item for item in found.items if "Accepted: 0.2" in item.evidence]
    assert [item.state for item in risk] == ["met"]


def test_safe_harbor_has_its_checklist_too() -> None:
    frame = patients()
    recipe = mv.preset("hipaa_safe_harbor", frame)
    assert recipe.follows == ("hipaa_safe_harbor",)
    (found,) = checklists_of(mv.run(recipe, frame, seed=1))
    assert "met" in [item.state for item in found.items if "rule lists" in item.text]
