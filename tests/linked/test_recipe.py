from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import FileError, SpecError
from microveil.linked.recipe import LinkedRecipe, is_linked, linked_recipe_schema

TEXT = """
tables:
  people: {roles: {quasi_identifiers: [sex]}}
  visits: {steps: [{method: relative_dates, columns: [day]}]}
links: [visits.person -> people.id]
people:
  table: people
  key: id
  quasi_identifiers: [sex, n]
  derived: {n: {table: visits, take: count}}
  require: [{model: k_anonymity, k: 2}]
"""


def test_a_recipe_survives_its_file(tmp_path: Path) -> None:
    recipe = LinkedRecipe.from_yaml(TEXT)
    recipe.write(tmp_path / "recipe.yaml")
    assert LinkedRecipe.read(tmp_path / "recipe.yaml").to_dict() == recipe.to_dict()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("table: visits", "table: visit", "there is no table 'visit'"),
        ("take: count", "take: first, column: day", "by which column"),
        ("take: count", "take: max", "Name the column"),
        ("k: 2", "k: 1", "greater than or equal to 2"),
        ("relative_dates,", "shift_dates, keep: [year],", "treated apart"),
        ("relative_dates,", "shift_dates, birth: born,", "treated apart"),
        ("visits.person ->", "visits ->", "A link reads like"),
    ],
)
def test_mistakes_are_told(old: str, new: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        LinkedRecipe.from_yaml(TEXT.replace(old, new))


def test_a_list_of_tables_is_something_else() -> None:
    assert not is_linked({"tables": [{"by": ["sex"]}]})
    with pytest.raises(SpecError, match="a mapping from names to recipes"):
        LinkedRecipe.from_yaml("tables: [{by: [sex]}]")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        LinkedRecipe.read(tmp_path / "none.yaml")


def test_the_schema_accepts_what_recipes_hold() -> None:
    plain = linked_recipe_schema()
    assert {"tables", "links", "people", "synthesize"} <= set(plain["properties"])
    assert plain["$defs"]["Link"]["anyOf"][0]["type"] == "string"
