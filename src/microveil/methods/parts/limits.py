"""Limits: the largest and smallest value that stay visible, as written in the recipe."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated

import polars as pl
from pydantic import AfterValidator, BeforeValidator

from microveil.errors import ColumnError
from microveil.texts import phrase


def _iso(raw: object) -> object:
    """YAML parses bare dates as dates; a limit holds their text."""
    return raw.isoformat() if isinstance(raw, date | time) else raw


def _readable(limit: float | str) -> float | str:
    if isinstance(limit, str) and _moment(limit) is None and _time(limit) is None:
        raise ValueError("A limit is a number, or an ISO date, date-time or time (2024-01-31).")
    return limit


Limit = Annotated[int | float | str, BeforeValidator(_iso), AfterValidator(_readable)]
"""A number (seconds, for durations), or ISO text for dates, date-times and times."""

WANTED = {
    "Date": phrase("an ISO date (2024-01-31)"),
    "Datetime": phrase("an ISO date-time, with an offset only if the column has a time zone"),
    "Time": phrase("an ISO time (12:30)"),
    "Duration": phrase("a number of seconds"),
}


def upside_down(bottom: float | str, top: float | str) -> bool:
    """Whether a bottom limit is above a top one, if that is clear without the data."""
    if isinstance(bottom, str) and isinstance(top, str):
        low, high = _moment(bottom), _moment(top)
        if low is None or high is None or (low.tzinfo is None) != (high.tzinfo is None):
            return False
        return low > high
    return not isinstance(bottom, str) and not isinstance(top, str) and bottom > top


def limit_series(limit: float | str, dtype: pl.DataType, column: str) -> pl.Series:
    """The limit as a column of one value, of the data's type or a wider one if necessary."""
    try:
        value = _limit(limit, dtype)
    except (OverflowError, pl.exceptions.PolarsError):
        raise ColumnError(
            "The limit for column '{column}' is beyond the range of {dtype}. Choose one "
            "closer to the data.",
            column=column,
            dtype=dtype,
        ) from None
    if value is None:
        wanted = WANTED.get(str(dtype.base_type()), phrase("a number"))
        raise ColumnError(
            "The limit for column '{column}' ({dtype}) must be {wanted}.",
            column=column,
            dtype=dtype.base_type(),
            wanted=wanted,
        )
    return value


def _limit(limit: float | str, dtype: pl.DataType) -> pl.Series | None:
    """The limit in the data's type; None if it is of another type."""
    if isinstance(limit, str):
        return _temporal(limit, dtype)
    if dtype.is_numeric():
        return _number(limit, dtype)
    if dtype == pl.Duration:
        return pl.Series([timedelta(seconds=limit)]).cast(dtype)
    return None


def _number(limit: float, dtype: pl.DataType) -> pl.Series:
    if dtype.is_float():
        return pl.Series([float(limit)], dtype=dtype)
    real = pl.Series([float(limit)], dtype=pl.Float64)
    if dtype.is_decimal():
        exact = pl.Series([Decimal(str(limit))]).cast(dtype, strict=False)
        return exact if exact.cast(pl.Float64).equals(real) else real
    if float(limit).is_integer():
        for whole in (dtype, pl.Int64()):
            # A limit outside the type's range widens the column, whatever its values are.
            try:
                return pl.Series([int(limit)], dtype=whole)
            except (OverflowError, TypeError, pl.exceptions.PolarsError):
                if dtype == pl.UInt64:
                    break
    return real


def _temporal(limit: str, dtype: pl.DataType) -> pl.Series | None:
    if dtype == pl.Time:
        clock = _time(limit)
        return None if clock is None else pl.Series([clock], dtype=pl.Time)
    moment = _moment(limit)
    if moment is None:
        return None
    if dtype == pl.Date:
        return pl.Series([moment.date()], dtype=pl.Date)
    if isinstance(dtype, pl.Datetime):
        return _in_zone(moment, dtype)
    return None


def _in_zone(moment: datetime, dtype: pl.Datetime) -> pl.Series | None:
    """A limit without an offset is local to the column; one with an offset needs a zoned column."""
    if moment.tzinfo is None:
        return pl.Series([moment]).dt.replace_time_zone(dtype.time_zone).cast(dtype)
    if dtype.time_zone is None:
        return None
    return pl.Series([moment]).dt.convert_time_zone(dtype.time_zone).cast(dtype)


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _time(text: str) -> time | None:
    try:
        return time.fromisoformat(text)
    except ValueError:
        return None
