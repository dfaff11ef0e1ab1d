from __future__ import annotations

import json
from typing import Any

import pytest

import microveil as mv
from microveil.errors import SpecError
from microveil.scores import Score

YAML = """
roles: {quasi_identifiers: [age]}
require:
  - {model: k_anonymity, k: 2}
  - {measure: record_linkage, at_most: 0.05}
  - {measure: singling_out, upper_bound_at_most: 0.1}
  - {measure: prediction, target: income, model: forest, at_least: 0.8}
  - {measure: class_sizes, part: average_risk, at_most: 0.2}
"""


def test_models_and_limits_stand_side_by_side_and_survive_a_trip_through_yaml() -> None:
    recipe = mv.Recipe.from_yaml(YAML)
    assert [one.kind() for one in recipe.models] == ["k_anonymity"]
    assert [one.spec for one in recipe.limits] == [
        mv.RecordLinkage(),
        mv.SinglingOut(),
        mv.Prediction(target="income", model="forest"),
        mv.ClassSizes(),
    ]
    assert mv.Recipe.from_yaml(recipe.to_yaml()) == recipe
    assert recipe.to_dict()["require"][3] == {
        "measure": "prediction",
        "target": "income",
        "model": "forest",
        "at_least": 0.8,
    }


def test_a_recipe_in_python_takes_specs_and_mappings() -> None:
    limit = mv.limit(mv.RecordLinkage(columns=["age"]), at_most=0.05)
    recipe = mv.Recipe(require=[limit, {"measure": "il1s", "at_most": 3}])
    assert recipe.limits == (limit, mv.limit(mv.IL1s(), at_most=3))
    assert recipe.with_values({"require.0.at_most": 0.1}).limits[0].at_most == 0.1


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"measure": "record_linkag", "at_most": 1}, "Did you mean 'record_linkage'"),
        ({"measure": "record_linkage"}, "give `at_most`"),
        ({"measure": "record_linkage", "at_mots": 1}, "Did you mean 'at_most'"),
        ({"measure": "il1s", "at_most": "much"}, "valid number"),
        ({"measure": "il1s", "at_most": 1, "columns": 7}, "columns"),
        ({"measure": "class_sizes", "at_least": 0.1}, "limited by `at_most`"),
        ({"measure": "class_sizes", "part": "k", "upper_bound_at_most": 1}, "leave out `part`"),
        ({"measure": "il1s", "at_most": float("nan")}, "finite"),
        ({"measure": "il1s", "spec": 1, "at_most": 1}, "Unknown field"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(raw: dict[str, Any], problem: str) -> None:
    with pytest.raises(SpecError, match=r"require\.1: ") as caught:
        mv.Recipe.parse({"require": [{"model": "k_anonymity", "k": 2}, raw]})
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("limit", "reached", "holds"),
    [
        (mv.limit(mv.Inference(), at_most=0.1), 0.1, True),
        (mv.limit(mv.Inference(), upper_bound_at_most=0.1), 0.2, False),
        (mv.limit(mv.GeneralizationLoss(), at_least=0.9), 0.9, True),
        (mv.limit(mv.GeneralizationLoss(), at_least=0.95), 0.9, False),
        (mv.limit(mv.Inference(), part="attack.rate", at_least=0.4), 0.5, True),
    ],
)
def test_each_limit_is_compared_with_its_number(
    limit: mv.MeasureRequirement,
    reached: float,
    holds: bool,  # noqa: FBT001  a case
) -> None:
    score = Score("m", 0.1, interval=(0.0, 0.2), parts={"attack": {"rate": 0.5}})
    assert limit.compared_values(score)[0] == pytest.approx(reached)
    assert limit.limits[0].holds(limit.compared_values(score)[0]) is holds


def test_what_is_not_estimated_is_its_own_bound() -> None:
    limit = mv.limit(mv.ClassSizes(), upper_bound_at_most=0.5)
    assert limit.compared_values(Score("class_sizes", 0.25)) == (0.25,)


def test_the_schema_knows_both_kinds() -> None:
    schema = mv.recipe_schema()
    assert json.loads(json.dumps(schema)) == schema
    models, measures, *across = schema["properties"]["require"]["items"]["anyOf"]
    assert len(across) == 2
    assert "k_anonymity" in models["discriminator"]["mapping"]
    assert {"record_linkage", "il1s"} <= set(measures["properties"]["measure"]["enum"])
    assert {"at_most", "at_least", "upper_bound_at_most"} <= set(measures["properties"])
