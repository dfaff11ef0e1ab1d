"""Steps that split a table: a recipe has one at most."""

from __future__ import annotations

from microveil.errors import InputError
from microveil.recipes.recipe import Recipe


def check_splits(recipe: Recipe) -> None:
    """Refuse a second split: joined with the first, its links would be unchecked."""
    splits = [position for position, step in enumerate(recipe.steps) if step.splits]
    if len(splits) > 1:
        step = recipe.steps[splits[1]]
        raise InputError(
            "steps.{splits}.{kind}: a table is split once. List all of its tables in one step.",
            splits=splits[1],
            kind=step.kind(),
        )
