"""Points: where people were and when, each with the path that it is part of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import polars as pl

from microveil.arrays import Flags, Ints, Longs
from microveil.errors import InputError
from microveil.kernels.paths.subsequences import Index, index_paths
from microveil.tables import Table
from microveil.tables.codes import Codes, combine_codes, encode
from microveil.tables.door import refuse_nested
from microveil.texts import phrase

Knowledge = Literal["locations", "unique_locations", "sequence", "time", "frequency", "probability"]
"""What an intruder knows of m points."""
Period = Literal["second", "minute", "hour", "day", "week", "month", "year"]
WITH_TIME = ("sequence", "time")
_EVERY: dict[str, str] = {
    "second": "1s", "minute": "1m", "hour": "1h", "day": "1d", "week": "1w", "month": "1mo",
    "year": "1y",
}  # fmt: skip
PERIODS: tuple[Period, ...] = get_args(Period)


@dataclass(frozen=True, eq=False)
class Points:
    """The points of a table that say where; a row without any place is none."""

    row: Longs
    """Row of each point."""
    place: Codes
    """Where it is, as a number."""
    time: Codes | None
    """When, as a number that grows with time."""
    owner: Longs
    """Person of each row, or the row itself where rows are not linked."""
    rank: Longs
    """Order of the points of one row, in columns of lists."""

    @classmethod
    def of(cls, table: Table, columns: Sequence[str], time: str | None, who: str) -> Points:
        """Read the columns that together say where, and the one that says when."""
        table.require([*columns, *([] if time is None else [time])])
        listed = len(columns) == 1 and isinstance(
            table.frame.schema[columns[0]], pl.List | pl.Array
        )
        frame = table.frame.select(columns).with_row_index("\0row")
        if listed:
            name = columns[0]
            as_list = (
                pl.col(name).arr.to_list() if isinstance(frame.schema[name], pl.Array) else name
            )
            frame = frame.with_columns(as_list).explode(name)
        refuse_nested(frame, tuple(columns), phrase("{who}", who=who))
        there = frame.filter(~pl.all_horizontal(pl.col(name).is_null() for name in columns))
        row = there["\0row"].cast(pl.Int64).to_numpy()
        place = Codes(np.zeros(len(row), dtype=np.int64), 1)
        for name in columns:
            place = combine_codes(place, encode(there[name]))
        owner = np.arange(table.height)
        if table.people is not None and table.linked:
            owner = table.people
        when = None if time is None else rank_codes(table.frame[time].gather(row))
        return cls(row, place, when, owner, np.arange(len(row)))

    def path(self, knows: Knowledge, kept: Flags | None = None) -> Paths:
        """What an intruder knows, as paths of which m points are a subsequence."""
        point = np.arange(len(self.row)) if kept is None else np.flatnonzero(kept)
        owner, item = self.owner[self.row[point]], dense(self.place.values[point])
        n_owners = int(self.owner.max(initial=-1)) + 1
        if knows == "time" and self.time is not None:
            item = dense(item * (int(self.time.radix) + 1) + self.time.values[point])
        if knows in {"frequency", "probability"}:
            item = _with_counts(owner, item, as_share=knows == "probability")
        order = np.lexsort((item, owner))
        if knows == "sequence":
            when = np.zeros(len(point)) if self.time is None else self.time.values[point]
            listed = self.rank[point] if self.time is None else np.zeros(len(point))
            order = np.lexsort((item, listed, when, owner))
        return Paths.of(owner[order], item[order], point[order], n_owners, once=knows in ONCE)


ONCE = ("unique_locations", "frequency", "probability")
"""Knowledge in which a place counts once, however often somebody was there."""


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths of points, as numbers."""

    index: Index
    point: Longs
    """Points in the order of the paths."""
    entry: Longs
    """Entry of the paths that stands for each of them."""

    @classmethod
    def of(cls, owner: Longs, item: Longs, point: Longs, n_owners: int, *, once: bool) -> Paths:
        """Lay the points out, path by path."""
        new = np.ones(len(owner), dtype=np.bool_)
        if once and len(owner):
            new[1:] = (owner[1:] != owner[:-1]) | (item[1:] != item[:-1])
        items: Ints = item[new].astype(np.int32)
        offsets = np.searchsorted(owner[new], np.arange(n_owners + 1)).astype(np.int64)
        n_items = int(items.max(initial=-1)) + 1
        return cls(index_paths(offsets, items, n_items), point, np.cumsum(new) - 1)


def rank_codes(column: pl.Series) -> Codes:
    """Numbers that grow with the values; missing comes last."""
    ranks = column.rank("dense")
    last = int(ranks.max() or 0)  # type: ignore[arg-type]  # a whole number
    return Codes(ranks.fill_null(last + 1).cast(pl.Int64).to_numpy(), last + 2)


def dense(values: Longs) -> Longs:
    """The same numbers from 0 on, without gaps."""
    places: Longs = np.unique(values, return_inverse=True)[1]
    return places


def begin_of_period(column: pl.Series, period: Period | None) -> pl.Series:
    """Times as the beginnings of their periods; what is no time stays as it is.

    >>> import datetime as dt
    >>> begin_of_period(pl.Series([dt.date(2024, 5, 17)]), "month").to_list()
    [datetime.date(2024, 5, 1)]
    """
    whole_day = column.dtype == pl.Date and PERIODS.index(period or "second") < PERIODS.index("day")
    if period is None or whole_day or not isinstance(column.dtype, pl.Date | pl.Datetime):
        return column
    return column.dt.truncate(_EVERY[period])


def require_time(knows: str, time: str | None, *, listed: bool) -> None:
    """Refuse what needs a time without one."""
    if time is None and (knows == "time" or (knows == "sequence" and not listed)):
        raise InputError(
            "An intruder who knows the {knows} of points needs their order: name the column "
            "of `time`.",
            knows=knows,
        )


def _with_counts(owner: Longs, item: Longs, *, as_share: bool) -> Longs:
    """Each place together with how often its person was there, or for which share of the points."""
    n_items = int(item.max(initial=0)) + 1
    pair = dense(owner * n_items + item)
    often = np.bincount(pair)[pair] if len(pair) else pair
    total = np.bincount(owner)[owner] if as_share and len(owner) else np.ones_like(often)
    common = np.gcd(often, total) if as_share else np.ones_like(often)
    most = int(max(often.max(initial=0), total.max(initial=0))) + 1
    counts = dense((often // common) * most + total // common)
    counted: Longs = dense(item * (int(counts.max(initial=0)) + 1) + counts)
    return counted
