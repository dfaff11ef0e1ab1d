from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from tests.app.preset_recipes.cases import patients


def test_safe_harbor_leaves_nothing_of_what_it_names() -> None:
    frame = patients()
    assert len(mv.check_preset("hipaa_safe_harbor", frame).problems) >= 7
    released = mv.run(mv.preset("hipaa_safe_harbor", frame, year=2026), frame, seed=1).data
    assert mv.check_preset("hipaa_safe_harbor", released).problems == ()
    assert released.columns == [
        "birth_date", "age", "zip", "zip_code", "admission_date", "sex", "diagnosis",
    ]  # fmt: skip
    assert set(released["zip"]) == {"000", "021", "100"}
    assert set(released["zip_code"]) == {"000", "021**", "100**"}
    assert set(released["admission_date"]) == {"2019"}
    assert released["age"].max() == 90
    born = released["birth_date"]
    assert "1936 or before" in born
    assert born.filter(born != "1936 or before").cast(pl.Int64).min() == 1937


def test_an_age_of_90_cannot_be_told_from_the_year_of_birth() -> None:
    frame = pl.DataFrame({"birth_year": [1936, 1935, 1937, 1890] * 10})
    recipe = mv.preset("hipaa_safe_harbor", frame, year=2026)
    assert set(mv.run(recipe, frame, seed=1).data["birth_year"]) == {"1936 or before", "1937"}


def test_columns_can_be_said() -> None:
    frame = pl.DataFrame({"a": [1, 95], "b": ["x", "y"], "c": ["02138", "03601"]})
    said = {"age": ["a"], "keep": ["b"], "zip": ["c"]}
    recipe = mv.preset("hipaa_safe_harbor", frame, columns=said).model_copy(
        update={"undeclared": "keep"}
    )
    assert mv.run(recipe, frame, seed=1).data.rows() == [(1, "x", "021"), (90, "y", "000")]
    with pytest.raises(InputError, match="Did you mean 'age'"):
        mv.preset("hipaa_safe_harbor", frame, columns={"agee": ["a"]})


def test_weights_stay_and_the_recipe_runs() -> None:
    weighted = patients().with_columns(sampling_weight=pl.Series([1.5, 20.0, 33.3] * 40))
    recipe = mv.preset("hipaa_safe_harbor", weighted, year=2026)
    assert recipe.roles.weight == "sampling_weight"
    assert "sampling_weight" in mv.run(recipe, weighted, seed=1).data.columns
