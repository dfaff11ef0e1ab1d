"""Export rules: which columns may leave, and without which traces."""

from __future__ import annotations

import polars as pl

from microveil.errors import InputError, quoted
from microveil.recipes import Recipe
from microveil.tables import Table


def refuse_undeclared(recipe: Recipe, frame: pl.DataFrame, original: Table) -> pl.DataFrame:
    """The frame without, or refused for, columns that nobody decided about.

    A column is decided about when it has a role or a step names it; an identifier only when a
    step deals with it. Columns that a step made were decided about by that step.
    """
    dealt_with = {name for step in recipe.steps for name in step.touches(original)}
    untouched = [
        name for name in frame.columns if name in original.columns and name not in dealt_with
    ]
    if recipe.undeclared == "drop":
        decided = set(recipe.roles.named) - set(recipe.roles.identifiers)
        return frame.drop(name for name in untouched if name not in decided)
    identifiers = [name for name in untouched if name in recipe.roles.identifiers]
    if identifiers:
        raise InputError(
            f"Column {quoted(identifiers)} names people, and no step deals with it. "
            "Drop, mask or pseudonymize it."
        )
    undeclared = [name for name in untouched if name not in recipe.roles.named]
    if undeclared and recipe.undeclared == "refuse":
        raise InputError(
            f"Nobody decided about column {quoted(undeclared)}: no role, and no step names it. "
            "List it in roles.insensitive, drop it, or set `undeclared: keep` in the recipe."
        )
    return frame


def forget_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells, whose categories name only values that still occur."""
    fresh = []
    for name, dtype in frame.schema.items():
        if isinstance(dtype, pl.Enum):
            there = set(frame[name].drop_nulls().unique().cast(pl.String))
            kept = [category for category in dtype.categories if category in there]
            fresh.append(frame[name].cast(pl.String).cast(pl.Enum(kept)))
        elif isinstance(dtype, pl.Categorical):
            fresh.append(frame[name].cast(pl.String).cast(pl.Categorical()))
    return frame.with_columns(fresh) if fresh else frame
