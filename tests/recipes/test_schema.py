from __future__ import annotations

import microveil as mv


def test_the_schema_knows_every_method_and_its_help() -> None:
    schema = mv.recipe_schema()
    names = {
        definition["properties"]["method"]["const"]
        for definition in schema["$defs"].values()
        if "method" in definition.get("properties", {})
    }
    assert names == set(mv.METHODS.classes)
    assert "Smallest number" in schema["$defs"]["KAnonymity"]["properties"]["k"]["description"]


def test_a_step_must_say_its_method_in_the_schema() -> None:
    assert mv.recipe_schema()["$defs"]["Drop"]["required"][0] == "method"
