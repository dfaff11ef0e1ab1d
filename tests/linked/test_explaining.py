"""Explaining linked recipes: every step of every table, left out in turn."""

from __future__ import annotations

from typing import Any

import pytest

import microveil as mv

TABLES = {
    "patients": {"id": [*range(12)], "age": [31, 33, 35, 37, 52, 53, 54, 58, 71, 74, 76, 79]},
    "visits": {"of": [*range(12), 3], "ward": ["a", "b"] * 6 + ["a"], "cost": [*range(13)]},
}


def recipe_of(**more: Any) -> mv.LinkedRecipe:
    raw: dict[str, Any] = {
        "tables": {
            "patients": {
                "roles": {"quasi_identifiers": ["age"]},
                "steps": [{"method": "round", "columns": ["age"], "base": 20}],
            },
            "visits": {
                "roles": {"quasi_identifiers": ["ward"], "insensitive": ["cost"]},
                "steps": [{"method": "round", "columns": ["cost"], "base": 5}],
            },
        },
        "links": ["visits.of -> patients.id"],
        "people": {
            "table": "patients",
            "key": "id",
            "quasi_identifiers": ["age"],
            "require": [{"model": "k_anonymity", "k": 2}],
            **more,
        },
    }
    return mv.LinkedRecipe.parse(raw)


def test_each_step_of_each_table_is_told_with_what_people_would_risk_without_it() -> None:
    found = mv.explain_linked(recipe_of(), TABLES, seed=1)
    told = {one.name: one for one in found.contributions}
    assert list(told) == ["patients.round", "visits.round"]
    assert found.holds
    assert not told["patients.round"].holds_without
    assert told["visits.round"].holds_without
    assert told["visits.round"].risk == 0
    # Everybody's age is their own: without the step all twelve are found.
    assert found.risk is not None
    assert told["patients.round"].risk == pytest.approx(1 - found.risk)
    assert found.risk == pytest.approx(mv.run_linked(recipe_of(), TABLES, seed=1).risk.average_risk)


def test_the_loss_of_a_step_is_that_of_the_columns_of_all_tables() -> None:
    found = mv.explain_linked(recipe_of(), TABLES, seed=1)
    assert found.loss == pytest.approx(sum(one.loss or 0 for one in found.contributions))


def test_removing_people_is_told_as_a_step() -> None:
    alone = {**TABLES, "patients": {**TABLES["patients"], "age": [99, *range(31, 42)]}}
    found = mv.explain_linked(recipe_of(suppress=True), alone, seed=1)
    removal = next(one for one in found.contributions if one.table == "people")
    assert removal.name == "people.suppress"
    assert not removal.holds_without
    assert "requirement would be broken" in removal.sentence()
    assert found.to_dict()["contributions"][-1]["table"] == "people"


def test_synthetic_tables_have_no_steps_to_explain() -> None:
    raw = recipe_of().to_dict() | {"synthesize": {}}
    for table in raw["tables"].values():
        del table["steps"]
    del raw["people"]["require"]
    with pytest.raises(mv.InputError, match="without steps"):
        mv.explain_linked(mv.LinkedRecipe.parse(raw), TABLES)


@pytest.mark.parametrize("verb", [mv.run, mv.explain])
def test_what_takes_one_table_names_what_takes_several(verb: Any) -> None:
    with pytest.raises(mv.InputError, match="explain_linked"):
        verb(recipe_of(), TABLES)
