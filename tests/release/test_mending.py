"""What is offered for a requirement that fails."""

from __future__ import annotations

import pytest

from microveil.app.running import run
from microveil.errors import RequirementNotMetError
from microveil.privacy import KAnonymity, LDiversity
from microveil.recipes import Recipe
from microveil.release.mending import mends_for, say_mends
from microveil.tables import Roles

ROLES = Roles(quasi_identifiers=("age",), sensitive=("disease",))
RECIPE = Recipe(roles=ROLES, require=(KAnonymity(k=4), LDiversity(l=2, column="disease")))


def test_k_anonymity_is_fixed_by_suppression_first() -> None:
    steps = list(mends_for("k_anonymity", RECIPE))
    assert [step.kind() for step in steps] == ["local_suppression", "suppress_records", "mondrian"]
    assert all(step.k == 4 for step in steps)  # type: ignore[attr-defined]


def test_sensitive_values_need_classes_formed_for_them() -> None:
    steps = list(mends_for("l_diversity", RECIPE))
    assert steps
    for step in steps:
        assert RECIPE.models[1] in step.models  # type: ignore[attr-defined]
        assert step.k == 4  # type: ignore[attr-defined]


def test_what_no_step_can_fix_is_offered_none() -> None:
    assert list(mends_for("l_diversity", Recipe(require=RECIPE.require))) == []


def test_the_sentence_names_the_step_and_its_parameters() -> None:
    frame = {"age": [1, 2, 3, 3, 3, 3], "disease": list("aabbbb")}
    release = run(RECIPE, frame)
    told = say_mends(release.checks, RECIPE)
    assert "`{method: local_suppression, k: 4}`" in told
    assert "models: [{model: l_diversity, column: disease, l: 2}]" in told
    with pytest.raises(RequirementNotMetError, match="Add as the last step"):
        _ = release.data


def test_what_no_step_is_known_for_is_said_in_general() -> None:
    limit = Recipe.from_yaml(
        "{roles: {quasi_identifiers: [age]}, require: [{measure: class_sizes, at_most: 0.1}]}"
    )
    release = run(limit, {"age": [1, 2, 3]})
    assert "relax the limit" in say_mends(release.checks, limit)
    assert say_mends((), limit) == ""
