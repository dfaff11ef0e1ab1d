"""Kinds of columns: which hold numbers, which have an order, and their values as floats."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import ColumnError

LARGEST = 1e150
"""Numbers beyond this, in size, overflow when they are squared."""
LAST_DAY = 95_000_000
"""Days from 1970, either way, to the last date that can be written: some 260,000 years."""


def is_number(dtype: pl.DataType) -> bool:
    """Whether differences of values make sense: numbers, dates, times, durations."""
    return dtype.is_numeric() or dtype.is_temporal()


def has_order(dtype: pl.DataType) -> bool:
    """Whether values are ordered by themselves: numbers, enums, no before yes; text is not.

    >>> has_order(pl.Boolean()), has_order(pl.String())
    (True, False)
    """
    return is_number(dtype) or isinstance(dtype, pl.Enum | pl.Boolean)


def numbers_of(column: pl.Series) -> NDArray[np.float64]:
    """A column of numbers as floats, dates and durations in their unit; NaN where missing.

    >>> numbers_of(pl.Series([1, None])).tolist()
    [1.0, nan]
    """
    # The physical form of a decimal is not the number.
    plain = column.to_physical() if column.dtype.is_temporal() else column
    return plain.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def finite_numbers(column: pl.Series) -> NDArray[np.float64]:
    """As :func:`numbers_of`; NaN also where a number is infinite or too large to be squared.

    >>> finite_numbers(pl.Series([1.0, 1e200, float("inf")])).tolist()
    [1.0, nan, nan]
    """
    numbers = numbers_of(column)
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(numbers) <= LARGEST, numbers, np.nan)


def refuse_unwritable(series: pl.Series) -> None:
    """Raise where dates lie beyond the years that can be written as text."""
    if series.dtype == pl.Date:
        last = LAST_DAY
    elif isinstance(series.dtype, pl.Datetime):
        ticks = {"ms": 10**3, "us": 10**6, "ns": 10**9}[series.dtype.time_unit or "us"]
        last = min(LAST_DAY * 86_400 * ticks, 2**63)
    else:
        return
    days = series.to_physical()
    n_bad = int((days.cast(pl.Float64).abs() > last).sum())
    if n_bad:
        msg = f"{n_bad} dates of column '{series.name}' lie more than 260,000 years away."
        raise ColumnError(f"{msg} They cannot be written: make them missing first.")


def refuse_infinite(series: pl.Series) -> None:
    """Raise unless all numbers of the column are finite."""
    if not series.dtype.is_float():
        return
    n_bad = int((~series.is_finite()).sum())
    if n_bad:
        msg = f"{n_bad} values of column '{series.name}' are infinite or not a number."
        raise ColumnError(f"{msg} Make them missing first, or leave the rows out.")


def check_weight(weight: pl.Series, n_missing: int) -> None:
    """Raise unless a weight column holds numbers without gaps."""
    if not weight.dtype.is_numeric() or n_missing:
        raise ColumnError(f"Weight column '{weight.name}' must be numbers without gaps.")
