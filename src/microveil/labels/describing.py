"""The values of a column that a label describes: within its bounds, in its set, under its mask."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.labels.notation import Bounds, read_bounds, read_mask, read_moments, read_set
from microveil.tables.values import rows_of


class Described(NamedTuple):
    """Runs of values described by a label."""

    low: Longs
    high: Longs

    @classmethod
    def of(cls, members: Longs) -> Described:
        """Sorted members, with neighbours joined into runs."""
        breaks = np.flatnonzero(np.diff(members) != 1) + 1
        starts, ends = np.r_[0, breaks], np.r_[breaks, len(members)] - 1
        return cls(members[starts], members[ends] + 1) if len(members) else cls(members, members)


def describe(label: str, values: pl.Series, text: pl.Series) -> Described | None:
    """The values that a written label describes; None if it is not a description."""
    bounds = read_bounds(label)
    if bounds is not None and (found := _between(bounds, values)) is not None:
        return found
    if (names := read_set(label)) is not None:
        return _members(names, values, text)
    for pattern in read_mask(label) or ():
        if (hits := text.str.contains(pattern.pattern)).any():
            return Described.of(np.flatnonzero(hits.to_numpy()))
    return None


def _members(names: list[str], values: pl.Series, text: pl.Series) -> Described | None:
    """The values of a set: its members, or those that a member describes."""
    rows = rows_of(pl.Series(values.name, names, dtype=pl.String), text).astype(np.int64)
    found = [rows[rows >= 0]]
    for name, row in zip(names, rows, strict=True):
        inner = describe(name, values, text) if row < 0 and name else None
        if inner is not None:
            pairs = zip(inner.low, inner.high, strict=True)
            found += [np.arange(low, high) for low, high in pairs]
    members = np.unique(np.concatenate(found))
    return Described.of(members) if len(members) else None


def _between(bounds: Bounds, values: pl.Series) -> Described | None:
    """The values within bounds; None if a bound is not a value of the column's type."""
    if values.dtype == pl.String and (found := _numbers_between(bounds, values)) is not None:
        return found
    low, high = _end(bounds.low, values), _end(bounds.high, values)
    if (low is None) != (bounds.low is None) or (high is None) != (bounds.high is None):
        return None
    first = 0 if low is None else _place(values, low, after=not bounds.with_low)
    last = len(values) if high is None else _place(values, high, after=bounds.with_high)
    both = np.array([first]), np.array([last])
    return Described(*both) if first < last else Described(both[0][:0], both[1][:0])


def _numbers_between(bounds: Bounds, values: pl.Series) -> Described | None:
    """Numbers written as text, within bounds; None if there are no numbers."""
    low = -np.inf if bounds.low is None else _float(bounds.low)
    high = np.inf if bounds.high is None else _float(bounds.high)
    numbers = values.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
    if low is None or high is None or np.isnan(numbers).all():
        return None
    above = numbers >= low if bounds.with_low else numbers > low
    below = numbers <= high if bounds.with_high else numbers < high
    return Described.of(np.flatnonzero(above & below))


def _end(raw: str | None, values: pl.Series) -> Any:
    """A bound as a value of the column's type; None if it cannot be one."""
    if raw is None:
        return None
    dtype = values.dtype
    if dtype.is_numeric():
        return _float(raw)
    if dtype == pl.Boolean:
        return {"true": True, "false": False}.get(raw.casefold())
    text = pl.Series([raw])
    if dtype.is_temporal():
        for kind in (dtype, pl.Date, pl.Datetime("us")):
            moment = read_moments(text, kind) if _is_moment(kind) else text.clear()
            if len(moment) and moment.null_count() == 0:
                return moment.cast(dtype)[0]
        return None
    return raw


def _float(raw: str) -> float | None:
    try:
        return float(raw)
    except ValueError:
        return None


def _is_moment(dtype: pl.DataType | type[pl.DataType]) -> bool:
    return dtype in (pl.Date, pl.Time) or isinstance(dtype, pl.Datetime)


def _place(values: pl.Series, end: Any, *, after: bool) -> int:
    """Position of a bound among sorted values."""
    side: Literal["left", "right"] = "right" if after else "left"
    if values.dtype.is_numeric():
        return int(np.searchsorted(values.to_numpy(), end, side=side))
    return int(values.search_sorted(end, side=side))
