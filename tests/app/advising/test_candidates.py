"""Candidates: what is tried keeps what has nothing to do with the keys."""

from __future__ import annotations

import pytest

from microveil.app.advising import Goal, candidates
from microveil.errors import InputError
from microveil.hierarchies import Intervals
from microveil.methods import Drop, Generalize, Round
from microveil.privacy import KAnonymity, PrivacyModel
from microveil.recipes import Recipe
from microveil.tables import Roles
from microveil.web.project.examples import patients

PEOPLE = patients(300)
ROLES = Roles(
    identifiers=("name",),
    quasi_identifiers=("sex", "age"),
    sensitive=("disease",),
    insensitive=("postcode", "occupation", "visits", "cost"),
)
RECIPE = Recipe(roles=ROLES, require=(KAnonymity(k=5),))


def require(*models: PrivacyModel) -> Recipe:
    return RECIPE.model_copy(update={"require": models})


def test_without_a_requirement_k_is_required() -> None:
    tried = candidates(PEOPLE, require(), Goal(k=7))
    assert {one.recipe.require for one in tried} == {(KAnonymity(k=7),)}


def test_steps_beside_the_keys_stay_and_own_hierarchies_are_used() -> None:
    decades = Intervals(width=10)
    steps = (
        Drop(columns=("name",)),
        Round(columns=("cost",), base=10),
        Generalize(column="age", hierarchy=decades, level=1),
    )
    tried = candidates(PEOPLE, RECIPE.with_steps(*steps), Goal())
    assert tried[0].recipe.steps == steps
    for one in tried[1:]:
        kinds = [step.kind() for step in one.recipe.steps]
        assert kinds[:2] == ["drop", "round"]
    search = next(one for one in tried if one.kind == "local_recoding")
    assert search.recipe.steps[-1].hierarchies == {"age": decades}  # type: ignore[attr-defined]


def test_no_two_candidates_are_the_same() -> None:
    tried = candidates(PEOPLE, RECIPE, Goal())
    recipes = [one.recipe.to_yaml() for one in tried]
    assert len(set(recipes)) == len(recipes)


def test_what_is_missing_is_said() -> None:
    with pytest.raises(InputError, match="keys"):
        candidates(PEOPLE, Recipe(), Goal())
