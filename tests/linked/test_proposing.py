from __future__ import annotations

import pytest

import microveil as mv
from microveil.errors import InputError


def test_a_first_recipe_is_proposed_and_runs() -> None:
    n = 40
    tables = mv.TableSet(
        {
            "patients": {
                "patient_id": range(n),
                "name": [f"Person {i}" for i in range(n)],
                "sex": ["f", "m"] * (n // 2),
            },
            "visits": {"patient_id": [i // 2 for i in range(n)], "ward": ["a", "b"] * (n // 2)},
        }
    )
    recipe = tables.propose_recipe()
    assert (recipe.people.table, recipe.people.key) == ("patients", "patient_id")
    assert set(recipe.people.quasi_identifiers) == {"sex", "n_visits"}
    assert [str(link) for link in recipe.links] == ["visits.patient_id -> patients.patient_id"]
    made = mv.run_linked(recipe, tables).data
    assert "name" not in made["patients"].columns
    with pytest.raises(InputError, match="No links were found"):
        mv.TableSet({"a": {"x": [1]}, "b": {"y": [2]}}).propose_recipe()
