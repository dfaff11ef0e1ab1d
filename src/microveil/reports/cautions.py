"""Cautions: what class sizes and requirements do not prove once values were perturbed."""

from __future__ import annotations

from microveil.errors import listing, quoted
from microveil.measures.evidence import perturbed_columns
from microveil.recipes import Recipe
from microveil.tables import Table


def cautions_of(recipe: Recipe, original: Table) -> tuple[str, ...]:
    """What a reader must know before relying on class sizes."""
    roles = recipe.roles
    keys = {key for names in roles.key_sets().values() for key in names}
    counted = {name for model in recipe.models for name in model.reads(roles)} - keys
    changed = perturbed_columns(recipe, original)

    def steps(some: dict[str, tuple[int, ...]]) -> str:
        places = sorted({place for one in some.values() for place in one})
        return listing(f"step {place + 1} ({recipe.steps[place].kind()})" for place in places)

    found = []
    if on_keys := _only(changed, keys):
        found.append(
            f"Values of quasi-identifiers were changed by {steps(on_keys)}. Class sizes, and "
            "requirements that count them, are not valid evidence of risk after such a step: use "
            "record linkage and interval disclosure instead."
        )
    if on_values := _only(changed, counted):
        found.append(
            f"Values of {quoted(on_values)} were changed by {steps(on_values)}. Class sizes stay "
            "valid, but requirements on these values were counted on changed values: use the "
            "inference attack to judge what can be inferred."
        )
    if others := {name: by for name, by in changed.items() if name not in keys | counted}:
        found.append(
            f"Values of columns that are not quasi-identifiers were changed by {steps(others)}. "
            "Class sizes say nothing about an intruder who knows these columns: use "
            "record linkage and interval disclosure for that."
        )
    if not any(roles.key_sets().values()):
        found.append("No quasi-identifiers are named, so disclosure risk was not assessed.")
    return tuple(found)


def _only(changed: dict[str, tuple[int, ...]], columns: set[str]) -> dict[str, tuple[int, ...]]:
    return {name: steps for name, steps in changed.items() if name in columns}
