"""Retyping: columns read as they were asked for, or one sentence about those that cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from microveil.errors import FileError, InputError, SpecError
from microveil.files.columns.cell_patterns import count_patterns, list_patterns
from microveil.files.columns.column_reading import ColumnReading
from microveil.files.columns.column_types import PLAIN, named_type
from microveil.files.columns.date_formats import read_dates
from microveil.files.columns.derived_columns import can_derive, derive_column, derived_names
from microveil.files.columns.finding_dates import find_dates, order_of, padded_dates
from microveil.files.columns.missing_codes import without_codes
from microveil.files.options import TypeName
from microveil.texts import join, join_or, phrase


def retype(frame: pl.DataFrame, types: Mapping[str, TypeName | ColumnReading]) -> pl.DataFrame:
    """The frame with some columns read as requested; what is so already stays as it is.

    New columns come last: they are counted from dates, which are read before.
    """
    new = derived_names(types)
    for name, wanted in types.items():
        if name not in new:
            frame = frame.with_columns(_convert(frame[name], wanted))
    for name in new:
        frame = derive_column(frame, name, reading_of(types[name], name))
    return frame


def fitting(frame: pl.DataFrame, types: Mapping[str, ColumnReading]) -> pl.DataFrame:
    """The frame with those of the columns read as requested that it has and that can be.

    For tables that may be a release, whose columns are no longer what they were.
    """
    for name, wanted in types.items():
        known = name in frame.columns
        if can_derive(frame.columns, wanted) and not known if wanted.derived else known:
            try:
                frame = retype(frame, {name: wanted})
            except InputError:
                continue
    return frame


def reading_of(wanted: object, column: str) -> ColumnReading:
    """What was asked of a column, as a word, a format or a mapping."""
    if isinstance(wanted, ColumnReading):
        return wanted
    if isinstance(wanted, str) and "%" not in wanted:
        named_type(wanted, column)
    try:
        return ColumnReading.parse(wanted)
    except SpecError as error:
        raise FileError(
            "Column '{column}': {problems}", column=column, problems=join(error.problems)
        ) from None


def _convert(column: pl.Series, asked: TypeName | ColumnReading) -> pl.Series:
    if isinstance(asked, ColumnReading | str | Mapping):
        wanted = reading_of(asked, column.name)
    else:
        before, after = column, _cast(column, asked)
        _refuse_lost(before, after, str(asked), ColumnReading())
        return after
    column = without_codes(column, wanted.missing)
    after = _read(column, wanted)
    _refuse_lost(column, after, join_or(wanted.format) or str(wanted.type), wanted)
    return after


def _read(column: pl.Series, wanted: ColumnReading) -> pl.Series:
    """The column in the type that was asked for; null where it cannot be."""
    if wanted.becomes is None:
        return column
    if wanted.format:
        return _dates(column, wanted)
    kind = named_type(wanted.becomes, column.name)
    if column.dtype in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String)
    if column.dtype == pl.String:
        stripped = kind if kind.name == "text" else kind.with_padding()
        return column.to_frame().select(stripped.value(pl.col(column.name))).to_series()
    if kind.name == "integer" and column.dtype.is_float():
        whole = pl.when(pl.first().round() == pl.first()).then(pl.first())
        column = column.to_frame().select(whole).to_series()
    return _cast(column, PLAIN[kind.name])


def _dates(column: pl.Series, wanted: ColumnReading) -> pl.Series:
    """Dates by their formats; a column of dates stays one."""
    if column.dtype.is_temporal():
        return column
    target = PLAIN[str(wanted.becomes)]
    if column.dtype.is_float():
        column = column.cast(pl.Int64, strict=False)
    texts = column.cast(pl.String, strict=False).to_frame()
    if column.dtype.is_integer():
        texts = padded_dates(texts.to_series()).to_frame()
    cells = [read_dates(pl.col(column.name), one, wanted.pivot) for one in wanted.format]
    return texts.select(
        pl.coalesce([one.cast(target) for one in cells]).alias(column.name)
    ).to_series()


def _cast(column: pl.Series, target: Any) -> pl.Series:
    try:
        return column.cast(target, strict=False)
    except pl.exceptions.PolarsError:
        raise FileError(
            "Column '{name}' cannot be read as {target}. Choose another type.",
            name=column.name,
            target=target,
        ) from None


def _refuse_lost(before: pl.Series, after: pl.Series, asked: str, wanted: ColumnReading) -> None:
    """One sentence if cells were lost that nobody gave up, or if most of them were."""
    filled = before.is_not_null()
    if before.dtype == pl.String and after.dtype != pl.String:
        filled &= before.str.strip_chars() != ""
    lost = filled & after.is_null()
    n_lost, n_filled = int(lost.sum()), int(filled.sum())
    if not n_lost:
        return
    mostly = 2 * n_lost > n_filled
    if wanted.unreadable == "missing" and not mostly:
        return
    order = order_of(wanted.format[0]) if wanted.format else "dmy"
    patterns = list_patterns(count_patterns(before.filter(lost), order))
    raise FileError(
        "{n_lost:,} of {n_before:,} cells of column '{name}' cannot be read as {asked} "
        "({patterns}). {remedy}",
        n_lost=n_lost,
        n_before=len(before),
        name=before.name,
        asked=asked,
        patterns=patterns,
        remedy=_remedy(before, wanted, mostly=mostly),
    )


def _remedy(before: pl.Series, wanted: ColumnReading, *, mostly: bool) -> str:
    """What to ask for instead."""
    found = find_dates(before) if before.dtype in (pl.String, pl.Int64, pl.Int32) else None
    if found is not None and found.formats != wanted.format:
        return phrase(
            "{share:%} are dates written as {formats}: give that format.",
            share=found.share,
            formats=join_or(found.formats),
        )
    if mostly:
        return phrase("Choose another type, or leave it as text.")
    return phrase("Choose another type, leave it as text, or say `unreadable: missing`.")
