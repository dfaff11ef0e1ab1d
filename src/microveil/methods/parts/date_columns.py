"""Columns of dates: which ones steps on dates can use, whole days, and ages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import polars as pl

from microveil.errors import ColumnError
from microveil.methods.parts.columns import refuse_kinds
from microveil.texts import phrase

EARLIEST = 1900
"""Earlier dates are more often slips or stand-ins for missing than days somebody lived."""
LATEST = date(9890, 12, 31)
MARGIN = 36_600
"""Days left before the last moment that nanoseconds reach: the largest shift fits."""
UTC = frozenset({"UTC", "Etc/UTC", "Zulu", "Etc/Zulu", "+00:00"})


def date_frame(
    frame: pl.DataFrame, columns: Sequence[str], step: str, earliest: int = EARLIEST
) -> pl.DataFrame:
    """The columns of a frame, once all of them hold dates within reach and in no local time."""
    needs = phrase(
        "Step '{step}' needs dates. Give text its format in the recipe's `reading`.", step=step
    )
    some = frame.select(columns)
    refuse_kinds(some, columns, lambda dtype: dtype in (pl.Date, pl.Datetime), needs)
    for column in some.iter_columns():
        _refuse_local_time(column, step)
        _refuse_far_dates(column, step, earliest)
    return some


def _refuse_local_time(column: pl.Series, step: str) -> None:
    zone = column.dtype.time_zone if isinstance(column.dtype, pl.Datetime) else None
    if zone is not None and zone not in UTC:
        raise ColumnError(
            "Column '{name}' is in the time zone {zone}, where some days have 23 or 25 hours: step "
            "'{step}' could not keep intervals. Convert it to UTC, or to local times without a "
            "zone.",
            name=column.name,
            zone=zone,
            step=step,
        )


def _refuse_far_dates(column: pl.Series, step: str, earliest: int) -> None:
    if column.dtype == pl.Null:
        return
    # Compared as numbers: Python's own dates end before those of Polars do.
    ticks = _ticks(column.dtype)
    days = column.to_physical().cast(pl.Float64) / ticks
    first, last = ((one - date(1970, 1, 1)).days for one in (date(earliest, 1, 1), LATEST))
    last = min(last, 2**63 // ticks - MARGIN)
    n_far = int(((days < first) | (days >= last + 1)).sum())
    if n_far:
        raise ColumnError(
            "1 date of column '{name}' lies before {earliest} or far in the future. If it is a "
            "slip, make it missing first (`set_missing`); if not, set `earliest_year` of step "
            "'{step}'.",
            many="{n:,} dates of column '{name}' lie before {earliest} or far in the future. If "
            "they are slips, make them missing first (`set_missing`); if not, set `earliest_year` "
            "of step '{step}'.",
            n=n_far,
            name=column.name,
            earliest=str(earliest),
            step=step,
        )


def add_days(column: pl.Series, days: pl.Series) -> pl.Series:
    """The dates moved by whole days, of 24 hours each; missing where either is."""
    if column.dtype == pl.Null:
        return column
    moved = column.to_physical().cast(pl.Int64) + days.cast(pl.Int64) * _ticks(column.dtype)
    whole = moved.cast(pl.Int32) if column.dtype == pl.Date else moved
    return whole.cast(column.dtype).alias(column.name)


def _ticks(dtype: pl.DataType) -> int:
    """Units of a day in which a column counts."""
    if not isinstance(dtype, pl.Datetime):
        return 1
    return 86_400 * {"ms": 10**3, "us": 10**6, "ns": 10**9}[dtype.time_unit]
