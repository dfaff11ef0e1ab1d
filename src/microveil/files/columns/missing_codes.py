"""Missing codes: numbers and words in cells that stand for no value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import polars as pl
from pydantic import Field

Code = Annotated[int | float | str, Field(union_mode="left_to_right")]
"""A number, or a text, which is compared without regard to case."""


def codes_in(column: pl.Series, codes: Sequence[Code]) -> pl.Series:
    """Which cells hold one of the codes; a number is itself however it is written.

    >>> codes_in(pl.Series(["170", "9999.0", "na", None]), (9999, "NA")).to_list()
    [False, True, True, False]
    """
    numbers = [float(code) for code in codes if not isinstance(code, str)]
    if column.dtype.is_numeric():
        return column.cast(pl.Float64).is_in(numbers).fill_null(value=False)
    if column.dtype.is_temporal():
        # Codes become dates rather than dates texts: some dates have no text.
        return column.is_in(_as_times(codes, column.dtype).implode()).fill_null(value=False)
    texts = column.cast(pl.String, strict=False).str.strip_chars().str.to_lowercase()
    found = texts.is_in([str(code).strip().lower() for code in codes])
    if numbers and column.dtype in (pl.String, pl.Categorical, pl.Enum):
        found = found | texts.cast(pl.Float64, strict=False).is_in(numbers)
    return found.fill_null(value=False)


def _as_times(codes: Sequence[Code], dtype: pl.DataType) -> pl.Series:
    """The codes that are dates or times of this type, written as ISO 8601 has them."""
    texts = pl.Series([str(code).strip() for code in codes], dtype=pl.String)
    if dtype == pl.Date:
        return texts.str.to_date("%Y-%m-%d", strict=False).drop_nulls()
    if dtype == pl.Time:
        return texts.str.to_time("%H:%M:%S", strict=False).drop_nulls()
    if isinstance(dtype, pl.Datetime):
        days = texts.str.to_date("%Y-%m-%d", strict=False).cast(pl.Datetime("us"))
        times = texts.str.replace("T", " ").str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False)
        known = pl.concat([days, times]).drop_nulls().cast(pl.Datetime(dtype.time_unit))
        return known.dt.replace_time_zone(dtype.time_zone) if dtype.time_zone else known
    return pl.Series([], dtype=dtype)


def without_codes(column: pl.Series, codes: Sequence[Code]) -> pl.Series:
    """The column with the cells that hold a code missing.

    >>> without_codes(pl.Series([171, 9999]), (9999,)).to_list()
    [171, None]
    """
    gone = codes_in(column, codes) if codes else None
    if gone is None or not gone.any():
        return column
    kept = pl.when(~gone).then(pl.col(column.name))
    return column.to_frame().select(kept.alias(column.name)).to_series()
