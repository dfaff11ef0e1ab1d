"""What a step contributes is what is different without it."""

from __future__ import annotations

import pytest

from microveil.app.advising.explaining import explain
from microveil.app.running import run
from microveil.errors import InputError
from microveil.methods import Drop, GroupRare, LocalSuppression, Round
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from tests.app.advising.cases import PEOPLE, ROLES

RECIPE = Recipe(
    roles=ROLES,
    steps=[
        Drop(columns=["name"]),
        Round(columns=["age"], base=10),
        GroupRare(columns=["occupation"], min_count=5, label="rare"),
        LocalSuppression(k=5, importance={"age": 2.0}),
    ],
    require=[KAnonymity(k=5)],
)


def test_each_step_and_each_parameter_with_a_default_is_left_out_in_turn() -> None:
    found = explain(RECIPE, PEOPLE, seed=1)
    assert found.whole.holds
    names = [one.name for one in found.contributions]
    assert names[:3] == ["drop", "round", "group_rare"]
    assert "group_rare.label" in names
    assert "local_suppression.importance" in names
    assert "local_suppression.k" not in names  # it needs one


def test_the_difference_is_that_of_two_runs() -> None:
    found = {one.name: one for one in explain(RECIPE, PEOPLE, seed=1).contributions}
    without = RECIPE.model_copy(update={"steps": RECIPE.steps[:3]})
    after = run(without, PEOPLE, seed=1)
    before = run(RECIPE, PEOPLE, seed=1)
    expected = after.risk.average_risk - before.risk.average_risk
    assert found["local_suppression"].risk == pytest.approx(expected)
    assert found["local_suppression"].holds_without is False
    assert "would be broken" in found["local_suppression"].sentence()
    assert found["group_rare"].holds_without
    assert "all the same" in found["group_rare"].sentence()
    assert (found["local_suppression"].loss or 0) > 0


def test_the_card_and_the_plain_data_have_a_row_for_each() -> None:
    found = explain(RECIPE, PEOPLE, seed=1)
    assert len(found.to_dict()["contributions"]) == len(found.contributions)
    assert "local_suppression" in repr(found)


def test_what_is_no_recipe_is_told() -> None:
    with pytest.raises(InputError, match="A recipe is needed"):
        explain(PEOPLE, RECIPE)  # type: ignore[arg-type]  # the wrong way round


def test_a_step_is_not_called_needed_where_a_requirement_is_broken_anyway() -> None:
    made = Recipe.from_yaml(
        "{roles: {quasi_identifiers: [age]}, steps: [{method: round, columns: [age], base: 2}],"
        " require: [{model: k_anonymity, k: 4}]}"
    )
    (one,) = explain(made, {"age": [31, 32, 45, 47]}, seed=1).contributions
    assert "broken with it and without it" in one.sentence()
