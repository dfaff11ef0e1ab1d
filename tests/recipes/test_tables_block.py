from __future__ import annotations

import pytest

import microveil as mv


def test_a_list_of_tables_and_a_mapping_say_the_same() -> None:
    one = mv.Recipe.from_yaml("tables: [{by: [town]}]")
    other = mv.Recipe.from_yaml("tables: {tables: [{by: [town]}]}")
    assert one == other
    assert mv.Recipe.from_yaml(one.to_yaml()) == one
    assert "tables" not in mv.Recipe().to_dict()


@pytest.mark.parametrize(
    ("block", "sentence"),
    [
        ("[{by: [town], valeu: x}]", "valeu"),
        ("{tables: [{by: [town]}], roles: {entity: id}}", "from the recipe"),
        ("5", "list of tables"),
        ("{tables: [{by: [town]}], rules: [{rule: treshold}]}", "treshold"),
    ],
)
def test_a_mistake_in_the_block_is_a_mistake_of_the_recipe(block: str, sentence: str) -> None:
    with pytest.raises(mv.SpecError, match=sentence):
        mv.Recipe.from_yaml(f"tables: {block}")


def test_the_schema_describes_both_forms() -> None:
    tables = mv.recipe_schema()["properties"]["tables"]
    several, mapping = tables["anyOf"]
    assert several["type"] == "array"
    assert {"tables", "rules", "protect"} <= set(mapping["properties"])
