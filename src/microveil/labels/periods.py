"""Labels of dates, read as the stretch of time they leave possible."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta
from typing import NamedTuple

from microveil.labels.notation import read_bounds

_DAY = 86_400.0
_YEAR = 12
"""Months of a year."""
_START = datetime(1970, 1, 1)  # noqa: DTZ001  wall-clock time, as labels are written
_MONTHS = {
    re.compile(r"^(?P<year>\d{4})$"): 12,
    re.compile(r"^(?P<year>\d{4})-(?P<month>\d{2})$"): 1,
    re.compile(r"^(?P<month>\d{2})/(?P<year>\d{4})$"): 1,
    re.compile(r"^(?P<year>\d{4})-Q(?P<quarter>[1-4])$"): 3,
    re.compile(r"^(?P<year>\d{3}0)s$"): 120,
}
"""Labels that name whole months, with how many of them."""
_WEEK = re.compile(r"^\d{4}-W\d{2}$")


class Period(NamedTuple):
    """Seconds since the beginning of 1970, from the start up to but without the end."""

    start: float
    end: float


def read_period(label: str) -> Period | None:
    """The time a label of a date leaves open; None if it names no date.

    Reads days and moments in ISO form, what the hierarchies of dates write (weeks, months,
    quarters, years, decades), and intervals of these. An interval without an end, and a star, are
    infinite.

    >>> read_period("1970-Q1").end == read_period("[1970-01, 1970-03]").end == 90 * 86_400
    True
    >>> read_period("Monday")
    """
    label = label.strip()
    if label and set(label) == {"*"}:
        return Period(-math.inf, math.inf)
    single = _single(label)
    if single is not None:
        return single
    bounds = read_bounds(label)
    if bounds is None:
        return None
    low = Period(-math.inf, -math.inf) if bounds.low is None else _single(bounds.low)
    high = Period(math.inf, math.inf) if bounds.high is None else _single(bounds.high)
    if low is None or high is None:
        return None
    start = low.start if bounds.with_low else low.end
    end = high.end if bounds.with_high else high.start
    return Period(start, end) if start <= end else None


def _single(text: str) -> Period | None:
    """One moment, day, week, or number of months."""
    for pattern, n_months in _MONTHS.items():
        if found := pattern.match(text):
            return _months(found.groupdict(), n_months)
    try:
        if _WEEK.match(text):
            week = datetime.fromisoformat(f"{text}-1")
            return Period(_seconds(week), _seconds(week) + 7 * _DAY)
        moment = datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None
    start = _seconds(moment)
    return Period(start, start + (_DAY if _is_day(text) else 0.0))


def _is_day(text: str) -> bool:
    """Whether a moment is written without a time of day."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _months(parts: dict[str, str], n_months: int) -> Period | None:
    month = 3 * int(parts["quarter"]) - 2 if "quarter" in parts else int(parts.get("month", 1))
    year = int(parts["year"])
    if not (1 <= month <= _YEAR and year >= 1):
        return None
    first = _YEAR * year + month - 1
    return Period(_start_of(first), _start_of(first + n_months))


def _start_of(month: int) -> float:
    """The first moment of a month, counted from January of the year 0."""
    if month == _YEAR * 10_000:  # a month later than Python's last
        return _start_of(month - 1) + 31 * _DAY
    return _seconds(datetime(month // _YEAR, month % _YEAR + 1, 1))  # noqa: DTZ001


def _seconds(moment: datetime) -> float:
    return (moment - _START) / timedelta(seconds=1)
