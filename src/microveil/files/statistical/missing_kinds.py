"""Kinds of missing: Stata's and SAS's letters (``.a``), and numbers that SPSS declares missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

KINDS = pl.Categorical()


def without_kinds(frame: pl.DataFrame, found: Any) -> tuple[pl.DataFrame, dict[str, pl.Series]]:
    """The frame with its kinds of missing as plain missing cells, and which kind each was.

    ``found`` is what the reader says of the file. Kinds of missing texts are not kept.
    """
    gaps: dict[str, pl.Series] = {}
    columns = []
    ranges: Mapping[str, Any] = getattr(found, "missing_ranges", None) or {}
    for column in frame.get_columns():
        if column.dtype == pl.Object:
            told, kinds = _letters_apart(column)
        elif column.name in ranges:
            told, kinds = _declared_apart(column, ranges[column.name])
        else:
            told, kinds = column, None
        columns.append(told)
        if kinds is not None and kinds.null_count() < len(kinds):
            gaps[column.name] = kinds.cast(KINDS)
    return pl.DataFrame(columns), gaps


def _letters_apart(column: pl.Series) -> tuple[pl.Series, pl.Series | None]:
    """Numbers, and the letters that stand among them."""
    cells = column.to_list()
    numbers = [None if isinstance(cell, str) else cell for cell in cells]
    kinds = [cell.lower() if isinstance(cell, str) else None for cell in cells]
    whole = all(cell is None or isinstance(cell, int) for cell in numbers)
    dtype = pl.Int64 if whole else pl.Float64
    told = pl.Series(column.name, numbers, dtype=dtype, strict=False)
    return told, pl.Series(column.name, kinds, dtype=pl.String)


def _declared_apart(column: pl.Series, ranges: Any) -> tuple[pl.Series, pl.Series | None]:
    """The column without the values of ranges, and those values."""
    if column.dtype != pl.String and not column.dtype.is_numeric():
        return column, None
    name = column.name
    declared = pl.any_horizontal(
        pl.lit(value=False),
        *(pl.col(name).is_between(pl.lit(one["lo"]), pl.lit(one["hi"])) for one in ranges),
    ).fill_null(value=False)
    apart = column.to_frame().select(
        pl.when(~declared).then(pl.col(name)).alias("told"),
        pl.when(declared).then(pl.col(name)).alias("kind"),
    )
    told, kinds = apart["told"].alias(name), apart["kind"].alias(name)
    if column.dtype == pl.String:
        return told, None
    if column.dtype.is_float() and bool((kinds.drop_nulls() % 1 == 0).all()):
        kinds = kinds.cast(pl.Int64)
    return told, kinds.cast(pl.String)
