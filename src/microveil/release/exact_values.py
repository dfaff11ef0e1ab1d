"""Exact values: released measures that are unique in nearly every record lead back to it."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from microveil.errors import quote
from microveil.release.cautions import Caution
from microveil.tables import Table
from microveil.texts import Message

NEARLY_UNIQUE = 0.5
"""Share of the records with a value that no other record has."""
FEWEST_RECORDS = 50


def caution_of_exact(
    original: Table, released: Table, columns: Collection[str]
) -> tuple[Caution, ...]:
    """One caution for all released numbers that are unchanged and mostly unique.

    Keys are judged by the requirements, and weights by the estimates that use them.
    """
    if released.height < FEWEST_RECORDS or released.synthetic:
        return ()
    keys = {key for keys in original.roles.key_sets().values() for key in keys}
    names = tuple(
        name
        for name in columns
        if name in released.columns
        and name in original.columns
        and name not in {*keys, *original.roles.identifiers, original.roles.entity}
        and _links(original.frame[name], released.frame[name])
    )
    if not names:
        return ()
    sentence = Message(
        "caution.exact_values",
        "Column {columns} holds exact values that nearly every record has alone: whoever knows one "
        "finds the record without any key. Round it, or average it in groups.",
        many="Columns {columns} hold exact values that nearly every record has alone: whoever "
        "knows one finds the record without any key. Round them, or average them in groups.",
        n=len(names),
        columns=quote(names),
    )
    step = {"method": "microaggregate", "columns": list(names), "k": 5}
    require = {"measure": "linkability", "at_most": 0.09}
    return (Caution("exact_values", sentence, names, {"step": step, "require": require}),)


def _links(before: pl.Series, after: pl.Series) -> bool:
    """Whether most released values are original ones, and stand alone."""
    if not (before.dtype.is_numeric() and after.dtype.is_numeric()):
        return False
    there = after.drop_nulls()
    counts = there.value_counts(name="n_records")
    alone = counts.filter(pl.col("n_records") == 1)[after.name]
    if len(alone) < NEARLY_UNIQUE * len(after):
        return False
    known = alone.cast(pl.Float64).is_in(before.cast(pl.Float64).drop_nulls().unique().implode())
    return int(known.sum()) >= NEARLY_UNIQUE * len(after)
