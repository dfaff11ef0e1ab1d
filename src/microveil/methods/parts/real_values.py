"""Columns as floats that noise can be added to, and back."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import ColumnError
from microveil.methods.parts.limits import Limit, limit_series
from microveil.tables.kinds import LARGEST, refuse_infinite
from microveil.texts import phrase

TOO_LARGE = phrase("are too large for floating point. Use another unit, or leave out the rows.")


def has_distance(dtype: pl.DataType) -> bool:
    """Whether differences make sense: numbers, dates, date-times, durations."""
    return dtype.is_numeric() or (dtype.is_temporal() and dtype != pl.Time)


def has_ratio(dtype: pl.DataType) -> bool:
    """Whether ratios make sense: numbers and durations."""
    return dtype.is_numeric() or dtype == pl.Duration


def as_floats(series: pl.Series) -> pl.Series:
    """Numbers as floats, dates and durations in their unit."""
    # The physical representation of a decimal is not its value.
    return (series.to_physical() if series.dtype.is_temporal() else series).cast(pl.Float64)


def real_values(series: pl.Series) -> Floats:
    """The cells as floats, dates and durations in their unit; NaN where missing."""
    refuse_infinite(series)
    values = as_floats(series)
    n_large = int((values.abs() > LARGEST).sum())
    if n_large:
        raise ColumnError(
            "{n_large} values of column '{name}' {too_large}",
            n_large=n_large,
            name=series.name,
            too_large=TOO_LARGE,
        )
    return values.fill_null(float("nan")).to_numpy()


def column_of(
    values: Floats, like: pl.Series, *, keep_integers: bool, rng: np.random.Generator
) -> pl.Series:
    """Floats as a column of the type they came from; NaN is missing.

    Whole numbers become floats unless they are to be kept. Values that must be whole, including
    dates, are rounded up or down at random, the nearer the likelier, so that means are unbiased.
    """
    dtype = like.dtype
    if not np.isfinite(values[~np.isnan(values)]).all():
        raise ColumnError(
            "Changes to column '{name}' {too_large}", name=like.name, too_large=TOO_LARGE
        )
    if dtype.is_temporal() or (keep_integers and dtype.is_integer()):
        return _wholes(np.floor(values + rng.random(len(values))), like)
    column = pl.Series(like.name, values, nan_to_null=True)
    if isinstance(dtype, pl.Decimal):
        return fitting(column.round(dtype.scale or 0), dtype)
    column = column.cast(dtype) if dtype.is_float() else column
    if not bool(column.is_finite().all()):  # beyond single precision
        raise ColumnError(
            "Changes to column '{name}' {too_large}", name=like.name, too_large=TOO_LARGE
        )
    return column


def _wholes(values: Floats, like: pl.Series) -> pl.Series:
    """Whole numbers in the column's own type, or in 64 bits if they overflow it."""
    column = pl.Series(like.name, values, nan_to_null=True)
    if like.dtype.is_temporal():
        return fitting(column.cast(like.to_physical().dtype, strict=False), like.dtype, column)
    narrow = column.cast(like.dtype, strict=False)
    if narrow.null_count() == column.null_count():
        return narrow
    return fitting(column, pl.Int64())


def fitting(column: pl.Series, dtype: pl.DataType, before: pl.Series | None = None) -> pl.Series:
    """Numbers in another type; an error if some do not fit it."""
    narrow = cast_or_null(column, dtype)
    n_lost = narrow.null_count() - (column if before is None else before).null_count()
    if n_lost:
        raise ColumnError(
            "{n_lost} values of column '{name}' would not fit its type. Give bounds, or "
            "store the column in a wider type.",
            n_lost=n_lost,
            name=column.name,
        )
    return narrow


def cast_or_null(column: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Numbers in another type; missing if they do not fit."""
    if isinstance(dtype, pl.Decimal) and column.dtype.is_float():
        # Polars raises for these, whether strict or not.
        most = 10.0 ** ((dtype.precision or 38) - (dtype.scale or 0)) * (1 - 1e-12)
        column = column.set((column.abs() >= most).fill_null(value=False), None)
    return column.cast(dtype, strict=False)


def bounds_of(
    series: pl.Series, lower: Limit | None, upper: Limit | None, *, whole: bool
) -> tuple[float, float]:
    """The bounds in the column's unit; infinite if there is none."""
    low, high = (
        open_end if limit is None else _number(limit, series)
        for limit, open_end in ((lower, -np.inf), (upper, np.inf))
    )
    if whole or series.dtype.is_temporal():
        low, high = np.ceil(low), np.floor(high)
    values = as_floats(series)
    n_outside = int(((values < low) | (values > high)).sum())
    if n_outside:
        raise ColumnError(
            "{n_outside} values of column '{name}' lie outside the bounds. Widen the bounds, "
            "or use top_bottom_code first.",
            n_outside=n_outside,
            name=series.name,
        )
    return low, high


def _number(limit: Limit, series: pl.Series) -> float:
    one = limit_series(limit, series.dtype, series.name)
    return float(as_floats(one)[0])


def reflect(values: Floats, low: float, high: float) -> Floats:
    """Reflect values beyond a bound, as often as necessary.

    >>> reflect(np.array([-1.0, 2.0, 12.0, 25.0]), 0, 10).tolist()
    [1.0, 2.0, 8.0, 5.0]
    """
    outside = (values < low) | (values > high)
    if not outside.any():
        return values
    inside = values.copy()
    inside[outside] = _mirror(values[outside], low, high)
    return inside


def _mirror(values: Floats, low: float, high: float) -> Floats:
    if np.isinf(high):
        return 2 * low - values
    if np.isinf(low):
        return 2 * high - values
    width = high - low
    if width == 0:
        return np.full_like(values, low)
    past = np.mod(values - low, 2 * width)
    # The last bit of a sum may exceed the bound.
    return np.clip(low + np.minimum(past, 2 * width - past), low, high)
