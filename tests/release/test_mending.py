"""What is offered for a requirement that fails."""

from __future__ import annotations

import numpy as np
import polars as pl
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


def _people(n: int = 400) -> pl.DataFrame:
    draws = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "age": draws.integers(18, 90, n),
            "sex": draws.choice(["f", "m"], n),
            "income": draws.lognormal(10, 1, n).round(2),
            "ill": draws.choice(["a", "b", "c"], n),
        }
    )


@pytest.mark.parametrize(
    "limit",
    [
        "measure: singling_out, at_most: 0.09",
        "measure: linkability, at_most: 0.01",
        "measure: inference, upper_bound_at_most: 0.25",
        "measure: record_linkage, at_most: 0.05",
        "measure: class_sizes, at_most: 0.1",
        "measure: individual_risk, at_most: 0.1",
    ],
)
def test_a_limit_on_a_risk_names_a_step_with_which_it_holds(limit: str) -> None:
    roles = "{quasi_identifiers: [age, sex], sensitive: [ill], insensitive: [income]}"
    recipe = Recipe.from_yaml(f"{{roles: {roles}, require: [{{{limit}}}]}}")
    release = run(recipe, _people())
    assert not release.holds
    (step,) = mends_for(release.checks[0].model, recipe)
    assert f"{{method: mondrian, k: {step.k}" in say_mends(release.checks, recipe)  # type: ignore[attr-defined]
    mended = recipe.model_copy(update={"steps": (step,)})
    assert run(mended, _people()).holds


def test_columns_that_were_dropped_are_not_in_the_step() -> None:
    recipe = Recipe.from_yaml(
        "{roles: {quasi_identifiers: [age], insensitive: [pay]}, steps: [{method: drop, columns: "
        "[pay]}], require: [{measure: singling_out, at_most: 0.1}]}"
    )
    (step,) = mends_for("singling_out", recipe)
    assert step.columns == ("age",)  # type: ignore[attr-defined]


def test_too_little_utility_asks_for_weaker_steps() -> None:
    recipe = Recipe.from_yaml(
        "{roles: {quasi_identifiers: [age]}, steps: [{method: mondrian, k: 3}], "
        "require: [{measure: cell_changes, at_least: 0.99}]}"
    )
    release = run(recipe, {"age": [1, 2, 3]})
    assert "Weaken" in say_mends(release.checks, recipe)


def test_what_no_step_is_known_for_is_said_in_general() -> None:
    limit = Recipe.from_yaml(
        "{roles: {quasi_identifiers: [age]}, require: [{measure: class_sizes, at_most: 0}]}"
    )
    release = run(limit, {"age": [1, 2, 3]})
    assert "relax the limit" in say_mends(release.checks, limit)
    assert say_mends((), limit) == ""


def test_a_measure_that_could_not_be_taken_asks_for_no_step() -> None:
    recipe = Recipe.from_yaml(
        "roles: {quasi_identifiers: [age], household: home}\n"
        "steps: [{method: drop, columns: [home]}]\n"
        "require: [{measure: individual_risk, level: household, at_most: 0.5}]"
    )
    release = run(recipe, pl.DataFrame({"age": [1, 1, 2, 2], "home": [1, 1, 2, 2]}))
    assert "could not be measured" in release.checks[0].sentence()
    assert not say_mends(release.checks, recipe)
