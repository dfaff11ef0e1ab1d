"""Re-key pseudonyms: the new pseudonym for each old one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from microveil.errors import InputError
from microveil.methods import Pseudonymize
from microveil.tables import Door
from microveil.tables.roles import check_columns


def rekey(data: Any, old: Pseudonymize, new: Pseudonymize) -> pl.DataFrame:
    """Old and new pseudonyms of the original values, without the values themselves.

    A pseudonym cannot be reversed, so the original data or the stored mapping are needed. Columns
    are those of ``old``. Keep the table as secret as a key: it links releases that were meant to
    stay separate.
    """
    frame = Door(data).frame
    values = [_values(frame, name) for name in old.columns]
    sides = [
        pl.concat([_with_column(step, one, kind) for one in values])
        for step, kind in ((old, "old"), (new, "new"))
    ]
    both = sides[0].join(sides[1], on=["column", "original"], how="inner")
    # In the order of the pseudonyms, which is unrelated to the original order.
    return both.drop("original").sort("column", "old")


def _values(frame: pl.DataFrame, column: str) -> pl.Series:
    """The values of a column, from the data or from a mapping."""
    if column not in frame.columns and {"column", "original", "pseudonym"} <= set(frame.columns):
        mapped = frame.filter(pl.col("column") == column)
        if not mapped.height:
            raise InputError("The mapping has no column '{column}'.", column=column)
        return mapped["original"].alias(column)
    check_columns([column], frame.columns)
    return frame[column]


def _with_column(step: Pseudonymize, values: pl.Series, kind: str) -> pl.DataFrame:
    pairs = step.pairs(values).rename({"pseudonym": kind})
    return pairs.select(pl.lit(values.name).alias("column"), "original", kind)


def replace_pseudonyms(
    released: pl.DataFrame, pairs: pl.DataFrame, columns: Sequence[str]
) -> pl.DataFrame:
    """A release with its old pseudonyms replaced; every one of them must be known.

    >>> pairs = pl.DataFrame({"column": ["id"], "old": ["a"], "new": ["b"]})
    >>> replace_pseudonyms(pl.DataFrame({"id": ["a", None]}), pairs, ["id"])["id"].to_list()
    ['b', None]
    """
    check_columns(columns, released.columns)
    return released.with_columns([_replace(released[name], pairs) for name in columns])


def _replace(column: pl.Series, pairs: pl.DataFrame) -> pl.Series:
    # A person has the same pseudonym in every column, so column names need not match.
    known = pairs.select(pl.col("old").cast(pl.String), "new").unique()
    text = column.cast(pl.String).alias("old").to_frame()
    found = text.join(known, on="old", how="left", maintain_order="left")["new"]
    n_unknown = int((found.is_null() & column.is_not_null()).sum())
    if n_unknown:
        raise InputError(
            "{n_unknown} of {n_column} cells of '{name}' are not pseudonyms of these data "
            "under the old key. Check the key, its domain, the style and the length.",
            n_unknown=n_unknown,
            n_column=len(column),
            name=column.name,
        )
    return found.alias(column.name)
