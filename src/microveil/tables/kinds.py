"""Kinds of columns: which hold numbers, which have an order, and their values as floats."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import ColumnError


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


def refuse_infinite(series: pl.Series) -> None:
    """Raise unless all numbers of the column are finite."""
    if not series.dtype.is_float():
        return
    n_bad = int((~series.is_finite()).sum())
    if n_bad:
        msg = f"{n_bad} values of column '{series.name}' are infinite or not a number."
        raise ColumnError(f"{msg} Make them missing first, or leave the rows out.")
