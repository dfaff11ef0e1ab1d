"""Kinds of columns: which are numeric, which are ordered, and their values as floats."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import ColumnError

LARGEST = 1e150
"""Numbers larger than this in absolute value overflow when squared."""
LAST_DAY = 95_000_000
"""Days from 1970, either way, to the last date that can be written: some 260,000 years."""


def is_number(dtype: pl.DataType) -> bool:
    """Whether differences of values make sense: numbers, dates, times, durations."""
    return dtype.is_numeric() or dtype.is_temporal()


def is_nested(dtype: pl.DataType) -> bool:
    """Whether cells hold lists, structs or objects, which cannot be compared or counted."""
    return dtype.is_nested() or dtype == pl.Object


def has_order(dtype: pl.DataType) -> bool:
    """Whether values have a natural order: numbers, enums, no before yes; text has none.

    >>> has_order(pl.Boolean()), has_order(pl.String())
    (True, False)
    """
    return is_number(dtype) or isinstance(dtype, pl.Enum | pl.Boolean)


def numbers_of(column: pl.Series) -> NDArray[np.float64]:
    """A numeric column as floats, dates and durations in their unit; NaN where missing.

    >>> numbers_of(pl.Series([1, None])).tolist()
    [1.0, nan]
    """
    # The physical representation of a decimal is not its value.
    plain = column.to_physical() if column.dtype.is_temporal() else column
    numbers = plain.cast(pl.Float64)
    return (numbers.fill_null(float("nan")) if numbers.null_count() else numbers).to_numpy()


def finite_numbers(column: pl.Series) -> NDArray[np.float64]:
    """As :func:`numbers_of`, but NaN also for infinite numbers and those too large to square.

    >>> finite_numbers(pl.Series([1.0, 1e200, float("inf")])).tolist()
    [1.0, nan, nan]
    """
    numbers = numbers_of(column)
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(numbers) <= LARGEST, numbers, np.nan)


def n_unwritable(series: pl.Series) -> int:
    """Number of dates beyond the years that can be written as text; 0 for other types."""
    if series.dtype == pl.Date:
        last = LAST_DAY
    elif isinstance(series.dtype, pl.Datetime):
        ticks = {"ms": 10**3, "us": 10**6, "ns": 10**9}[series.dtype.time_unit or "us"]
        last = min(LAST_DAY * 86_400 * ticks, 2**63)
    else:
        return 0
    return int((series.to_physical().cast(pl.Float64).abs() > last).sum())


def as_python(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with cells that Python can hold: dates beyond its years become numbers.

    >>> as_python(pl.DataFrame({"day": pl.Series([10**7]).cast(pl.Date)})).rows()
    [(10000000,)]
    """
    beyond = [column for column in frame.iter_columns() if _beyond_python(column)]
    return frame.with_columns([column.to_physical() for column in beyond])


def _beyond_python(series: pl.Series) -> bool:
    if series.dtype not in (pl.Date, pl.Datetime):
        return False
    # Years are counted only where Polars itself can tell them; time zones move a day at most.
    years = None if n_unwritable(series) else series.dt.year()
    return years is None or not bool(years.is_between(2, 9998).all())


def refuse_unwritable(series: pl.Series) -> None:
    """Raise an error for dates beyond the years that can be written as text."""
    n_bad = n_unwritable(series)
    if n_bad:
        raise ColumnError(
            "{n_bad} dates in column '{name}' lie more than 260,000 years away. They cannot "
            "be written: make them missing first.",
            n_bad=n_bad,
            name=series.name,
        )


def refuse_infinite(series: pl.Series) -> None:
    """Raise an error unless all numbers of the column are finite."""
    if not series.dtype.is_float():
        return
    n_bad = int((~series.is_finite()).sum())
    if n_bad:
        raise ColumnError(
            "{n_bad} values of column '{name}' are infinite or not a number. Make them "
            "missing first, or leave the rows out.",
            n_bad=n_bad,
            name=series.name,
        )


def check_weight(weight: pl.Series, n_missing: int) -> None:
    """Raise an error unless a weight column holds numbers from 0 on without missing cells."""
    if not weight.dtype.is_numeric() or n_missing:
        raise ColumnError(
            "Weight column '{name}' must be numeric without missing cells.", name=weight.name
        )
    if len(weight) and bool((weight < 0).any()):
        raise ColumnError(
            "Weight column '{name}' must not hold negative numbers: a weight says how many "
            "people a record stands for. Leave it out of steps that add noise.",
            name=weight.name,
        )


def refuse_odd_weights(plan: pl.LazyFrame, name: str) -> None:
    """Raise an error for weights that tell nothing about people: text, and negative numbers.

    Missing ones are left to what uses them.
    """
    dtype = plan.collect_schema()[name]
    if not (dtype.is_numeric() or dtype == pl.Null):
        raise ColumnError(
            "Weight column '{name}' does not hold numbers. Read it as numbers (`reading: {{{name}: "
            "number}}`), or give the role `weight` to another column.",
            name=name,
        )
    if dtype == pl.Null:
        return
    negative = plan.select((pl.col(name) < 0).sum())
    n_negative = int(negative.collect(engine="streaming").item())
    if n_negative:
        raise ColumnError(
            "1 weight in column '{name}' is negative: a weight says how many people a record "
            "stands for. Correct it or leave the record out, or give "
            "the role `weight` to another column.",
            many="{n:,} weights in column '{name}' are negative: a weight says how many people a "
            "record stands for. Correct them or leave these records out, or give the "
            "role `weight` to another column.",
            n=n_negative,
            name=name,
        )
