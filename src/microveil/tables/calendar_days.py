"""Days of the calendar: of dates and times, and the years completed between two of them."""

from __future__ import annotations

import polars as pl


def days_of(column: pl.Series) -> pl.Series:
    """The calendar days of dates or times.

    >>> from datetime import date
    >>> days_of(pl.Series([date(2024, 1, 31)])).to_list()
    [datetime.date(2024, 1, 31)]
    """
    if isinstance(column.dtype, pl.Datetime):
        return column.dt.date()
    return column.cast(pl.Date)


def completed_years(birth: pl.Series, day: pl.Series) -> pl.Series:
    """The age on a day; somebody born on 29 February ages on 1 March in other years.

    >>> from datetime import date
    >>> completed_years(pl.Series([date(2000, 2, 29)]), pl.Series([date(2001, 2, 28)])).to_list()
    [0]
    """
    had = (day.dt.month().cast(pl.Int32) * 100 + day.dt.day()) >= (
        birth.dt.month().cast(pl.Int32) * 100 + birth.dt.day()
    )
    return day.dt.year() - birth.dt.year() - (~had).cast(pl.Int32)
