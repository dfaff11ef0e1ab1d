from __future__ import annotations

import pytest

import microveil as mv
from microveil.recipes.across_releases import AcrossReleases


@pytest.mark.parametrize(
    "raw", [{"across_releases": {"k": 5}}, {"model": "across_releases", "k": 5}]
)
def test_both_forms_are_read_and_survive_a_file(raw: dict[str, object]) -> None:
    recipe = mv.Recipe.parse({"require": [raw]})
    assert recipe.across == (AcrossReleases(k=5),)
    assert recipe.models == ()
    assert recipe.limits == ()
    assert mv.Recipe.from_yaml(recipe.to_yaml()) == recipe


def test_a_mistake_is_told_with_its_place() -> None:
    with pytest.raises(mv.SpecError, match=r"require\.0"):
        mv.Recipe.parse({"require": [{"across_releases": {"k": 1}}]})
    with pytest.raises(mv.SpecError, match=r"require\.0"):
        mv.Recipe.parse({"require": [{"across_releases": {"kk": 5}}]})
    with pytest.raises(mv.SpecError, match=r"require\.0"):
        mv.Recipe.parse({"require": [{"across_releases": 5}]})
