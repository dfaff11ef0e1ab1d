"""Bring a column of the original, the release and the control to one type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.tables.kinds import refuse_unwritable
from microveil.tables.values import as_text, plain


class Sides(NamedTuple):
    """A column of the three tables in one type."""

    ordered: bool
    original: pl.Series
    released: pl.Series
    control: pl.Series
    labelled: bool


def sides_of(original: pl.Series, released: pl.Series, control: pl.Series) -> Sides:
    """The three columns as numbers, moments or text, whichever all of them are."""
    sides = (original, released, control)
    before, after, held_out = (side.dtype for side in sides)
    if _all_of((before, held_out), "number") and before != pl.Null:
        kept = sides if _all_of((after,), "number") else (original, control)
        numbers = _numbers(*kept)
        if len(kept) == len(sides):
            return Sides(True, *_three(numbers), labelled=False)
        return Sides(True, numbers[0], as_text(released), numbers[1], labelled=True)
    if _all_of((before, after, held_out), "number"):
        return Sides(True, *_three(_numbers(*sides)), labelled=False)
    if _all_of((before, after, held_out), "moment"):
        return Sides(True, *_three(_moments(side) for side in sides), labelled=False)
    if _all_of((before, held_out), "moment") and before != pl.Null:
        text = as_text(released).cast(pl.String)
        return Sides(True, _moments(original), text, _moments(control), labelled=True)
    texts = _three(as_text(side).cast(pl.String) for side in sides)
    unknown = ~texts[1].drop_nulls().unique().is_in(pl.concat([texts[0], texts[2]]).implode())
    return Sides(False, *texts, labelled=bool(unknown.any()))


def _numbers(*sides: pl.Series) -> list[pl.Series]:
    """Numbers of one type; NaN is missing."""
    kind = pl.Int64 if all(_fits(side.dtype) for side in sides) else pl.Float64
    return [_without_nan(side.cast(kind)) if kind.is_float() else side.cast(kind) for side in sides]


def _without_nan(side: pl.Series) -> pl.Series:
    there = not side.null_count() and not np.isnan(side.to_numpy()).any()
    return side if there else side.fill_nan(None)


def written_values(original: pl.Series, control: pl.Series, known: pl.Series) -> pl.Series:
    """The values as they were, once each, in the order of the converted ones."""
    both = plain(original)
    if len(control):
        both = pl.concat([both, plain(control).cast(both.dtype, strict=False)])
    frame = pl.DataFrame({"known": known, "written": both}).drop_nulls("known")
    return (
        frame.unique("known", keep="first", maintain_order=True)
        .sort("known")["written"]
        .alias(original.name)
    )


def _three(sides: Iterable[pl.Series]) -> tuple[pl.Series, pl.Series, pl.Series]:
    original, released, control = sides
    return original, released, control


def _fits(dtype: pl.DataType) -> bool:
    return dtype == pl.Null or (dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128))


def _all_of(dtypes: Sequence[pl.DataType], kind: str) -> bool:
    """Whether all are numbers, or all dates or times of one type; an untyped column passes."""
    known = [dtype for dtype in dtypes if dtype != pl.Null]
    if kind == "number":
        return all(dtype.is_numeric() for dtype in known)
    days = all(dtype in (pl.Date, pl.Datetime) for dtype in known)
    return days or (all(dtype.is_temporal() for dtype in known) and len(set(known)) == 1)


def _moments(series: pl.Series) -> pl.Series:
    """Dates and times as whole numbers in one unit."""
    refuse_unwritable(series)
    if series.dtype == pl.Date:
        series = series.cast(pl.Datetime("us"))
    elif isinstance(series.dtype, pl.Datetime):
        series = series.dt.replace_time_zone(None).cast(pl.Datetime("us"))
    return series.to_physical().cast(pl.Int64)
