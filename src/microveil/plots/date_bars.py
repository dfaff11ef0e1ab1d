"""A column of dates before and after protection, in bins of the calendar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.labels.periods import Period, read_period
from microveil.plots.bins import N_BINS, counts_in
from microveil.plots.small_counts import drawable
from microveil.plots.spreading import shares_of_bins
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.tables import Table

DAY = 86_400
_SECONDS = (1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, DAY, 7 * DAY)
"""Widths of a bin in seconds, up to a week."""
_MONTHS = (1, 3, 6, *(12 * years * 10**p for p in range(4) for years in (1, 2, 5)))
"""Widths of a bin in months."""
_MONDAY = 4 * DAY
"""The first Monday of 1970."""
_FIRST, _LAST = -62_135_596_800, 253_402_300_799
"""The years 1 to 9999 in seconds from 1970: all that can be written."""


def has_dates(column: pl.Series) -> bool:
    """Whether a column holds days or moments."""
    return column.dtype == pl.Date or isinstance(column.dtype, pl.Datetime)


def date_bars(
    before: Table, after: Table, column: str, *, public: bool = False
) -> list[dict[str, Any]] | None:
    """Number of records of each table in each bin; None if a label names no date.

    Records whose date was replaced by a longer period are shared out evenly over it.
    """
    original = before.frame[column]
    if not has_dates(original):
        return None
    moments, periods = _moments(original), _counted_periods(after.frame[column])
    if periods is None:
        return None
    known = [*moments[:1], *moments[-1:]]
    known += [end for period in periods for end in period if math.isfinite(end)]
    if not known or min(known) < _FIRST or max(known) > _LAST + 1:
        return None
    edges = calendar_edges(min(known), max(known), days=original.dtype == pl.Date)
    counts = [counts_in(moments, edges).astype(np.float64), _spread(periods, edges)]
    return [
        {"side": side, "start": _write(start), "end": _write(end), "count": shown}
        for side, one in zip(("original", "protected"), counts, strict=True)
        for start, end, count in zip(edges[:-1], edges[1:], one, strict=True)
        if (shown := drawable(round(count), public=public))
    ]


def calendar_edges(low: float, high: float, *, days: bool) -> NDArray[np.float64]:
    """Edges of bins of equal length on the calendar: minutes, days, weeks, months, years.

    >>> (calendar_edges(0, 300 * DAY, days=True)[:3] / DAY).tolist()
    [0.0, 31.0, 59.0]
    """
    for width in _SECONDS[_SECONDS.index(DAY) :] if days else _SECONDS:
        if (high - low) / width < N_BINS:
            shift = _MONDAY if width > DAY else 0
            first, last = (math.floor((end - shift) / width) for end in (low, high))
            return np.asarray(np.arange(first, last + 2) * float(width) + shift, dtype=np.float64)
    from_year_0 = 12 * 1970
    ends = np.array([low, high]).astype("datetime64[s]").astype("datetime64[M]")
    first_month, last_month = (int(month) + from_year_0 for month in ends.astype(np.int64))
    width = next(one for one in _MONTHS if (last_month - first_month) / one < N_BINS)
    months = np.arange(first_month // width, last_month // width + 2) * width - from_year_0
    moments = months.astype("datetime64[M]").astype("datetime64[s]")
    return np.asarray(moments, dtype=np.float64)


def _moments(column: pl.Series) -> NDArray[np.float64]:
    """Days and moments in seconds from 1970, as a clock on the wall shows them, sorted."""
    there = column.drop_nulls()
    if there.dtype == pl.Date:
        return there.to_physical().cast(pl.Float64).sort().to_numpy() * DAY
    local = there.dt.replace_time_zone(None).dt.cast_time_unit("ms")
    return local.to_physical().cast(pl.Float64).sort().to_numpy() / 1000


def _counted_periods(column: pl.Series) -> dict[Period, int] | None:
    """How many records have each period; None if a label names none."""
    if isinstance(column.dtype, pl.Datetime):
        return {Period(one, one): n for one, n in _count(pl.Series(_moments(column)))}
    if column.dtype.is_nested() or column.dtype == pl.Object:
        return None
    found: dict[Period, int] = {}
    for label, n in _count(as_text(column).drop_nulls()):
        period = read_period(label)
        if period is None:
            return None
        found[period] = found.get(period, 0) + n
    return found


def _count(values: pl.Series) -> list[tuple[Any, int]]:
    return values.alias("value").value_counts(name="n").rows()


def _spread(periods: dict[Period, int], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Records of each bin; those of a period without ends have no place."""
    total = np.zeros(len(edges) - 1)
    for (start, end), n in periods.items():
        if math.isfinite(start) or math.isfinite(end):
            total += n * shares_of_bins(max(start, edges[0]), min(end, edges[-1]), edges)
    return total


def _write(edge: float) -> str:
    """An edge in ISO form, in universal time, so that no time zone moves it."""
    moment = np.datetime64(int(min(max(edge, _FIRST), _LAST)), "s")
    day = moment.astype("datetime64[D]")
    return str(day) if day == moment else f"{moment}Z"
