"""Dates written as text: how most of them are written."""

from __future__ import annotations

import polars as pl

FORMATS = (
    "%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d",
    "%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%d %b %Y", "%d-%b-%Y", "%d %B %Y", "%d%b%Y",
)  # fmt: skip
"""Formats in the order in which they are preferred when equally many values fit."""
MOSTLY = 0.8
"""Share of the distinct values that must be dates."""
SAMPLE = 2_000
"""Distinct values that are looked at."""
_LIKE_A_DATE = r"\d[-./ ]?(\d{1,2}|[A-Za-z]{3,9})[-./ ]?\d"


def date_format(text: pl.Series) -> str | None:
    """The format in which most values are dates between 1850 and 2150; None if they are not.

    >>> date_format(pl.Series(["31/12/1980", "01/02/1990", "?"])) is None
    True
    >>> date_format(pl.Series(["31/12/1980", "01/02/1990"]))
    '%d/%m/%Y'
    """
    values = text.drop_nulls().unique(maintain_order=True).head(SAMPLE).str.strip_chars()
    if not len(values) or int(values.str.contains(_LIKE_A_DATE).sum()) < MOSTLY * len(values):
        return None
    fitting = {how: _n_dates(values, how) for how in FORMATS}
    best = max(fitting, key=lambda how: fitting[how])
    return best if fitting[best] >= MOSTLY * len(values) else None


def _n_dates(values: pl.Series, how: str) -> int:
    """Values that are read back as they are written."""
    if how == "%Y%m%d":
        values = values.filter(values.str.len_chars() == len("20200131"))
    dates = values.str.to_date(how, strict=False)
    years = dates.dt.year()
    return int(years.is_between(1850, 2150).fill_null(value=False).sum())
