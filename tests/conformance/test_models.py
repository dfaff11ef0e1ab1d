from __future__ import annotations

import pytest

import microveil as mv
from tests.conformance import cases

names = pytest.mark.parametrize("name", list(mv.MODELS.classes))
columns = pytest.mark.parametrize("column", list(cases.COLUMNS))


def test_every_model_has_a_case_and_is_at_the_top_level() -> None:
    assert set(cases.MODELS) == set(mv.MODELS.classes)
    for model in mv.MODELS:
        assert getattr(mv, model.__name__) is model


@names
def test_it_explains_itself_and_survives_yaml(name: str) -> None:
    model = cases.MODELS[name]
    assert len(model.summary()) > 15
    assert all(i.description for f, i in type(model).model_fields.items() if f != "model")
    recipe = mv.Recipe(require=[model])
    assert mv.Recipe.from_yaml(recipe.to_yaml()) == recipe


@names
@columns
@pytest.mark.parametrize("height", [0, 1, 8])
def test_it_checks_keys_of_every_kind(name: str, column: str, height: int) -> None:
    frame = cases.frame_with(cases.COLUMNS[column]).head(height)
    check = cases.MODELS[name].check(frame, mv.Roles(quasi_identifiers=["x"]))
    assert check.holds == (len(check.broken_in) == 0)
    assert check.holds == (check.n_broken == 0)
    assert check.sentence()


@names
def test_missing_keys_are_treated_both_ways(name: str) -> None:
    frame = cases.frame_with(cases.COLUMNS["integers"]).with_columns(x=None)
    for missing in ("category", "wildcard"):
        cases.MODELS[name].check(frame, mv.Roles(quasi_identifiers=["x", "sex"]), missing)
