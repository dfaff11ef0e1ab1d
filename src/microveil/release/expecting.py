"""The expected schema of a recipe: data that are not as they should be are refused."""

from __future__ import annotations

import polars as pl

from microveil.errors import SchemaError
from microveil.files.columns.derived_columns import derived_names
from microveil.files.columns.expected.comparing import SchemaFinding, compare_with_schema
from microveil.files.columns.expected.schema import ExpectedSchema
from microveil.hierarchies.text_files import find
from microveil.recipes import Recipe
from microveil.release.cautions import Caution


def findings_of(recipe: Recipe, plan: pl.LazyFrame) -> tuple[SchemaFinding, ...]:
    """How data differ from what the recipe expects, as it reads them."""
    if recipe.expect is None:
        return ()
    with recipe.beside_its_files():
        schema = ExpectedSchema.read(find(recipe.expect))
    return compare_with_schema(plan, schema, derived_names(recipe.reading.columns))


def refuse_unexpected(recipe: Recipe, plan: pl.LazyFrame) -> None:
    """Raise an error that lists all that must not be."""
    wrong = [one.sentence for one in findings_of(recipe, plan) if one.severity == "error"]
    if wrong:
        raise SchemaError(wrong, recipe.expect)


def notes_of(recipe: Recipe, plan: pl.LazyFrame) -> tuple[Caution, ...]:
    """What is told about data that may pass."""
    return tuple(
        Caution("unexpected_data", one.sentence, (one.column,), {"finding": one.kind})
        for one in findings_of(recipe, plan)
        if one.severity == "note"
    )
