"""The text of a value: one spelling, whatever the type it is stored in."""

from __future__ import annotations

import polars as pl

from microveil.tables.kinds import refuse_unwritable

CLOCK = "%H:%M:%S%.f"


def value_text(series: pl.Series) -> pl.Series:
    """Every value of a column as text, missing if it is missing.

    5, 5.0, decimal 5.00 and the text "5" are all ``5``, whatever their storage width. Dates are ISO
    (``2024-01-31``), as is a date-time at midnight; other date-times are ``2024-01-31T12:30:00``,
    those with a time zone in UTC with a ``Z``. Durations are ISO (``PT1M30S``), booleans ``true``
    and ``false``, bytes hexadecimal. Text is unchanged.

    >>> value_text(pl.Series([5.0, 0.1, None])).to_list()
    ['5', '0.1', None]
    """
    dtype = series.dtype
    if dtype.is_float():
        return _float_text(series)
    if dtype.is_decimal():
        text = series.cast(pl.String)
        return text.str.replace(r"(\.\d*?)0+$", "$1").str.replace(r"\.$", "")
    if dtype.is_temporal():
        return _temporal_text(series)
    return series.bin.encode("hex") if dtype == pl.Binary else series.cast(pl.String)


def _float_text(series: pl.Series) -> pl.Series:
    """Whole floats as whole numbers, the others in their shortest exact spelling."""
    number = pl.col("number")
    whole = number.cast(pl.Int128, strict=False)
    is_whole = number.is_finite() & (number == number.round(0)) & whole.is_not_null()
    text = pl.when(is_whole).then(whole.cast(pl.String)).otherwise(number.cast(pl.String))
    return series.to_frame("number").select(text.alias(series.name)).to_series()


def _temporal_text(series: pl.Series) -> pl.Series:
    refuse_unwritable(series)
    dtype = series.dtype
    if dtype == pl.Time:
        return series.dt.to_string(CLOCK)
    if not isinstance(dtype, pl.Datetime):
        return series.dt.to_string("iso")
    if dtype.time_zone is not None:
        return series.dt.convert_time_zone("UTC").dt.to_string(f"%Y-%m-%dT{CLOCK}Z")
    return series.dt.to_string(f"%Y-%m-%dT{CLOCK}").str.strip_suffix("T00:00:00")
