"""The tables of a recipe: published together with its records."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BeforeValidator

from microveil.errors import SpecError
from microveil.texts import join, phrase

FROM_RECIPE = ("reading", "roles")
"""What tables take from the recipe around them."""


def _check_block(given: Any) -> Any:
    """Plain data of a plan: a list of tables, or a mapping with tables, rules and protection."""
    if given is None:
        return None
    raw = {"tables": list(given)} if isinstance(given, list | tuple) else given
    if not isinstance(raw, dict):
        wrong = phrase("`tables` is a list of tables, or a mapping with tables and rules")
        raise ValueError(wrong)  # noqa: TRY004  so that pydantic lists it
    if set(FROM_RECIPE) & set(raw):
        raise ValueError(phrase("`tables` take their reading and roles from the recipe"))
    from microveil.tabulation.plan import TablePlan  # the solver's matrices: loaded on demand

    try:
        return TablePlan.parse(raw).to_dict()
    except SpecError as error:
        raise ValueError(join(error.problems, "\n")) from None


TableBlock = Annotated[dict[str, Any] | None, BeforeValidator(_check_block)]


def block_schema(plan: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of the block, from that of files with tables, with definitions of its own."""
    plan = json.loads(json.dumps(plan).replace('"#/$defs/', '"#/properties/tables/$defs/'))
    inside = {name: one for name, one in plan["properties"].items() if name not in FROM_RECIPE}
    mapping = {
        "type": "object",
        "properties": inside,
        "required": ["tables"],
        "additionalProperties": False,
    }
    return {"anyOf": [inside["tables"], mapping], "$defs": plan["$defs"]}
