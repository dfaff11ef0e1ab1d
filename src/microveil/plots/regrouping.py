"""Original values under the labels they were released as, so that both sides can be compared."""

from __future__ import annotations

import polars as pl

from microveil.pairs.alignment import align, is_paired
from microveil.tables import Table
from microveil.tables.values import as_text


def regroup(before: Table, after: Table, name: str) -> pl.Series:
    """The original column, each value by the label that all its records have in the release.

    A value with several labels (local recoding) or none (its records were removed) stays as it is,
    as do all values if rows cannot be paired.
    """
    column = before.frame[name]
    if not is_paired(before, after) or column.dtype.is_nested() or column.dtype == pl.Object:
        return column
    pairs = pl.DataFrame(
        {"value": as_text(align(before, after).frame[name]), "label": as_text(after.frame[name])}
    )
    known = set(pairs["value"].drop_nulls().unique())
    if set(pairs["label"].drop_nulls().unique()) <= known:
        return column  # same labels on both sides
    labels = pairs.drop_nulls().unique().group_by("value").agg(pl.col("label"))
    single = labels.filter(pl.col("label").list.len() == 1).with_columns(
        pl.col("label").list.first()
    )
    return as_text(column).replace(single["value"], single["label"]).alias(name)
