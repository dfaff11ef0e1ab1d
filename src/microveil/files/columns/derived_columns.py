"""Derived columns: the time between two dates of a row, as a column of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import polars as pl

from microveil.errors import ColumnError
from microveil.files.columns.column_reading import ColumnReading
from microveil.tables.calendar_days import completed_years, days_of
from microveil.tables.roles import check_columns

TypeT = TypeVar("TypeT")


def derived_names(types: Mapping[str, object]) -> list[str]:
    """The new columns among what a recipe says about reading."""
    return [name for name, one in types.items() if isinstance(one, ColumnReading) and one.derived]


def types_in_file(types: Mapping[str, TypeT] | None) -> dict[str, TypeT]:
    """What is said about columns that the file itself has."""
    new = derived_names(types or {})
    return {name: one for name, one in (types or {}).items() if name not in new}


def derive_column(frame: pl.DataFrame, name: str, wanted: ColumnReading) -> pl.DataFrame:
    """The frame with the time between two of its columns; missing where either date is.

    A frame that has the column already stays as it is: what is read once is not read again. A
    column of that name with other content is refused.
    """
    ends = [str(wanted.since), str(wanted.until)]
    check_columns(ends, frame.columns)
    for end in ends:
        _refuse_other_than_dates(frame[end], name)
    counted = _count(frame, wanted).alias(name)
    if name not in frame.columns:
        return frame.with_columns(counted)
    if not frame[name].cast(pl.Int32, strict=False).equals(counted, check_names=False):
        raise ColumnError(
            "The data have a column '{name}' already, with other content than the time from "
            "'{since}' until '{until}'. Give the new column another name.",
            name=name,
            since=ends[0],
            until=ends[1],
        )
    return frame


def can_derive(columns: Iterable[str], wanted: ColumnReading) -> bool:
    """Whether both dates are there."""
    return {wanted.since, wanted.until} <= set(columns)


def _count(frame: pl.DataFrame, wanted: ColumnReading) -> pl.Series:
    start, end = (days_of(frame[str(name)]) for name in (wanted.since, wanted.until))
    if wanted.unit == "years":
        return completed_years(start, end).cast(pl.Int32)
    days = (end - start).dt.total_days()
    return (days // 7 if wanted.unit == "weeks" else days).cast(pl.Int32)


def _refuse_other_than_dates(column: pl.Series, name: str) -> None:
    if column.dtype not in (pl.Date, pl.Datetime, pl.Null):
        raise ColumnError(
            "Column '{column}' does not hold dates, from which '{name}' could be counted. Give "
            "its format in the recipe's `reading`.",
            column=column.name,
            name=name,
        )
