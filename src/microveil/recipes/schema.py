"""The JSON Schema of recipe files, for completion and checks in editors, and for forms."""

from __future__ import annotations

from typing import Any

from microveil.recipes.recipe import Recipe
from microveil.recipes.tables_block import block_schema


def recipe_schema() -> dict[str, Any]:
    """The schema of a recipe with every registered method and model.

    >>> sorted(recipe_schema()["properties"])[:5]
    ['expect', 'follows', 'keep', 'missing', 'reading']
    """
    from microveil.tabulation.plan import table_plan_schema  # the solver's matrices

    schema = Recipe.model_json_schema()
    schema["properties"]["tables"] |= block_schema(table_plan_schema())
    for definition in schema["$defs"].values():
        _require_tags(definition)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Microveil recipe",
    } | {key: value for key, value in schema.items() if key != "title"}


def _require_tags(definition: dict[str, Any]) -> None:
    """Make the tag of a step required, though in Python its class already implies it."""
    tags = [name for name, field in definition.get("properties", {}).items() if "const" in field]
    required = [name for name in definition.get("required", []) if name not in tags]
    if tags:
        definition["required"] = tags + required
