"""One meaning of empty, and of zero: cells that look alike in a file are alike in memory.

NaN and empty text are missing, and −0.0 is 0.0. File formats do not agree on the difference: some
write both alike, some read one as the other. Classes counted in memory would otherwise differ from
those of the file.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl


def tidy_cells(frame: pl.DataFrame, columns: Iterable[str] | None = None) -> pl.DataFrame:
    """The frame with one meaning of empty and of zero; columns without such cells are unchanged.

    Checks the float and text columns, by default all of them.

    >>> tidy_cells(pl.DataFrame({"a": ["x", ""], "b": [float("nan"), -0.0]})).rows()
    [('x', None), (None, 0.0)]
    """
    names = frame.columns if columns is None else columns
    mended = [_mend_series(frame[name]) for name in names if needs_tidying(frame[name])]
    return frame.with_columns(mended) if mended else frame


def tidy_plan(plan: pl.LazyFrame) -> pl.LazyFrame:
    """The same for a lazy plan: cells are put right as they are read."""
    schema = plan.collect_schema()
    mends = [
        expression.alias(name)
        for name, dtype in schema.items()
        if (expression := _mend(name, dtype)) is not None
    ]
    return plan.with_columns(mends) if mends else plan


def needs_tidying(series: pl.Series) -> bool:
    """Whether a column has a NaN, a −0.0 or empty text."""
    dtype = series.dtype
    if dtype.is_float():
        return bool(series.is_nan().any()) or _has_negative_zero(series)
    if dtype == pl.String:
        return series.str.len_bytes().min() == 0
    if isinstance(dtype, pl.Enum) and "" not in dtype.categories:
        return False
    if isinstance(dtype, pl.Categorical | pl.Enum):
        return series.cat.len_bytes().min() == 0
    return False


def _has_negative_zero(series: pl.Series) -> bool:
    zeros = series.filter(series == 0)
    return bool((1 / zeros < 0).any()) if len(zeros) else False


def _mend_series(series: pl.Series) -> pl.Series:
    expression = _mend(series.name, series.dtype)
    return series if expression is None else series.to_frame().select(expression).to_series()


def _mend(name: str, dtype: pl.DataType) -> pl.Expr | None:
    column = pl.col(name)
    if dtype.is_float():
        # Adding 0.0 would do, if the optimiser did not remove it as a no-op.
        zero = pl.lit(0.0).cast(dtype)
        return pl.when(column == 0).then(zero).otherwise(column.fill_nan(None)).alias(name)
    if isinstance(dtype, pl.Enum) and "" not in dtype.categories:
        return None
    if dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum):
        return pl.when(column != "").then(column).alias(name)
    return None
