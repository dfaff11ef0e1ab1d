"""A recipe that expects a schema refuses data that differ from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app.checking import check
from microveil.app.file_runs.gating import gate
from microveil.errors import FileError, SchemaError
from microveil.release.expecting import findings_of

PEOPLE = pl.DataFrame({"sex": ["f", "m"] * 20, "age": [30, 40] * 20, "town": ["a", "b"] * 20})
RECIPE = """
roles: {quasi_identifiers: [sex, age], insensitive: [town]}
require: [{model: k_anonymity, k: 2}]
expect: schema.yaml
"""


@pytest.fixture
def recipe(tmp_path: Path) -> mv.Recipe:
    mv.infer_schema(PEOPLE).write(tmp_path / "schema.yaml")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return mv.Recipe.read(tmp_path / "recipe.yaml")


NEW = PEOPLE.with_columns(sex=pl.lit("x"), town=pl.lit(1))
"""Data with a new category and another type."""
OLDER = PEOPLE.with_columns(age=pl.lit(99))
"""Data out of range, which is only told."""


def test_the_same_data_pass(recipe: mv.Recipe) -> None:
    assert mv.run(recipe, PEOPLE).holds
    assert check(recipe, PEOPLE).fits
    assert mv.Recipe.parse(recipe.to_dict()) == recipe


def test_every_difference_is_listed_at_once(recipe: mv.Recipe) -> None:
    with pytest.raises(SchemaError) as told:
        mv.run(recipe, NEW)
    for words in ("schema.yaml: 2 problems:", "'sex' has 1 new category", "'town' is read as"):
        assert words in str(told.value)
    assert "'sex' has 1 new category" in check(recipe, NEW).problems[0]


def test_notes_are_cautions_of_the_release(recipe: mv.Recipe) -> None:
    cautions = [one for one in mv.run(recipe, OLDER).cautions if one.kind == "unexpected_data"]
    assert [one.sentence for one in cautions] == [
        "40 cells of column 'age' lie outside its expected range."
    ]


@pytest.mark.parametrize("in_parts", [False, True])
def test_files_are_compared_whole_or_in_parts(
    recipe: mv.Recipe,
    tmp_path: Path,
    in_parts: bool,  # noqa: FBT001
) -> None:
    NEW.write_csv(tmp_path / "new.csv")
    OLDER.write_csv(tmp_path / "older.csv")
    with pytest.raises(SchemaError, match="2 problems"):
        mv.run_file(recipe, tmp_path / "new.csv", tmp_path / "out.csv", in_parts=in_parts)
    assert not (tmp_path / "out.csv").exists()
    record = tmp_path / "run.json"
    done = mv.run_file(
        recipe, tmp_path / "older.csv", tmp_path / "out.csv", in_parts=in_parts, record=record
    )
    assert [one.kind for one in done.cautions].count("unexpected_data") == 1
    assert "schema.yaml" in json.loads(record.read_text())["recipe"]["files"]


def test_the_gate_lets_nothing_unexpected_pass(
    recipe: mv.Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROVEIL_REGISTRY_KEY", "k" * 32)
    NEW.write_csv(tmp_path / "new.csv")
    with pytest.raises(SchemaError):
        gate(recipe, tmp_path / "new.csv", baseline=tmp_path / "none.json")


def test_a_recipe_without_a_schema_expects_nothing(recipe: mv.Recipe) -> None:
    free = recipe.model_copy(update={"expect": None})
    assert findings_of(free, NEW.lazy()) == ()


def test_a_schema_that_is_not_there(recipe: mv.Recipe) -> None:
    elsewhere: dict[str, Any] = {"expect": "none.yaml"}
    with pytest.raises(FileError, match=r"expect: none\.yaml: cannot read the schema"):
        mv.run(recipe.model_copy(update=elsewhere), PEOPLE)
