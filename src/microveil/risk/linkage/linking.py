"""Linking records: credits for correct links, shared among ties."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.risk.linkage.compared import GLANCE
from microveil.tables.codes import Codes, combine_codes, encode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from microveil.risk.linkage.compared import RecordComparison

PAIRS_HELD = 2_000_000
"""Pairs of rows of one person whose distances are held together."""
TABLE = 8
"""Cells of a table for each row, up to which rows are numbered by a table instead of sorting."""


class Groups(NamedTuple):
    """Distinct rows."""

    points: Floats
    of_row: Longs
    """The distinct point of each row."""
    sizes: Longs


class ColumnCodes:
    """Columns of records as codes, from which the distinct rows by any of them are found.

    >>> codes = ColumnCodes(np.array([[1.0, 2.0], [1.0, 3.0], [1.0, 2.0]]))
    >>> codes.n_distinct([0]), codes.n_distinct([0, 1])
    (1, 2)
    """

    def __init__(self, records: Floats) -> None:
        """Columns are numbered when they are asked for; missing equals missing."""
        self._n, self._records = len(records), records
        self._codes: dict[int, Codes | None] = {}

    def _column(self, place: int) -> Codes | None:
        """A column as codes; None if it tells all rows apart."""
        if place not in self._codes:
            # Adding 0 turns −0 into 0.
            column = self._records[:, place] + 0.0
            codes = None if _tells_all_apart(column) else encode(pl.Series(column))
            # Codes of numbers are dense.
            self._codes[place] = None if codes is None or codes.radix == self._n else codes
        return self._codes[place]

    def _pack(self, places: Sequence[int]) -> Codes | None:
        """One number per row, equal for equal rows; None if all rows differ."""
        packed = Codes(np.zeros(self._n, dtype=np.int64), 1)
        for place in places if self._n else ():
            codes = self._column(place)
            if codes is None:
                return None
            packed = combine_codes(packed, codes)
        return packed

    def n_distinct(self, places: Sequence[int]) -> int:
        """Number of distinct rows by the columns at these places."""
        packed = self._pack(places)
        if packed is None:
            return self._n
        if packed.radix > TABLE * self._n:
            return len(np.unique(packed.values))
        occurs = np.zeros(packed.radix, dtype=np.bool_)
        occurs[packed.values] = True
        return int(occurs.sum())

    def groups(self, places: Sequence[int], records: Floats) -> Groups:
        """The distinct rows by the columns at these places, in the order in which they occur.

        ``records`` are the rows by those columns.
        """
        packed = self._pack(places)
        if packed is None:
            return Groups(records, np.arange(self._n), np.ones(self._n, dtype=np.int64))
        if packed.radix <= TABLE * self._n:
            first = np.full(packed.radix, self._n, dtype=np.int64)
            # Of equal indices the last assignment wins, so go backwards.
            first[packed.values[::-1]] = np.arange(self._n - 1, -1, -1)
            leads = np.sort(first[first < self._n])
            number = np.empty(packed.radix, dtype=np.int64)
            number[packed.values[leads]] = np.arange(len(leads))
            of_row = number[packed.values]
        else:
            _, first, of_row = np.unique(packed.values, return_index=True, return_inverse=True)
            leads = np.sort(first)
            of_row = np.searchsorted(leads, first)[of_row]
        return Groups(records[leads], of_row, np.bincount(of_row))


def group_rows(records: Floats) -> Groups:
    """The distinct rows; missing equals missing."""
    n = len(records)
    if not records.shape[1] or not n:
        return Groups(records[: min(n, 1)], np.zeros(n, np.int64), np.array([n] if n else []))
    return ColumnCodes(records).groups(range(records.shape[1]), records)


def _tells_all_apart(column: Floats) -> bool:
    """Whether all numbers of a column differ, as measurements do; a glance tells most that not."""
    return all(_differ(np.sort(part)) for part in (column[:GLANCE], column))


def _differ(ordered: Floats) -> bool:
    return bool((ordered[1:] != ordered[:-1]).all()) and not bool(np.isnan(ordered[-1:]).any())


def grouped_people(records: Floats, people: Longs | None) -> Groups:
    """The distinct rows; with people, as large as the number of people who have each."""
    return with_people(group_rows(records), people)


def with_people(groups: Groups, people: Longs | None) -> Groups:
    """Distinct rows; with people, as large as the number of people who have each."""
    if people is None:
        return groups
    owned = np.unique(people.astype(np.int64) * len(groups.points) + groups.of_row)
    sizes = np.bincount(owned % max(len(groups.points), 1), minlength=len(groups.points))
    return groups._replace(sizes=sizes)


def nearest_credits(
    comparison: RecordComparison,
    owners: Longs,
    some: Longs | None = None,
    groups: Groups | None = None,
) -> Floats:
    """Probability, for each released row, that linking its original to the nearest row is right.

    It is 1 if only rows of the same owner (original or person) are nearest, 1/t if they are one of
    t, and 0 if another's is nearer. Equal rows of one owner count once if ``groups`` counts people.
    With ``some``, only those rows are linked, among all, and the others score 0. ``groups`` are the
    distinct released rows, if they are known already.
    """
    from microveil.kernels.linkage.link_bounds import Candidates
    from microveil.kernels.linkage.link_records import count_nearest, true_distances

    groups = group_rows(comparison.records) if groups is None else groups
    rows = np.arange(len(owners)) if some is None else some
    apart = true_distances(comparison.metric, comparison.queries[rows], comparison.records[rows])
    if each_once(owners):
        bounds, right = apart, np.ones(len(apart))
    else:
        bounds, right = (one[rows] for one in _own_distances(comparison, owners, groups, some))
    counts = np.zeros(len(apart), np.int64)
    unmoved = comparison.exact & (bounds == 0) & (apart == 0)
    counts[unmoved] = groups.sizes[groups.of_row[rows[unmoved]]]
    moved = np.flatnonzero(~unmoved)
    counts[moved] = count_nearest(
        comparison.metric,
        comparison.queries[rows[moved]],
        Candidates(groups.points, groups.sizes),
        groups.of_row[rows[moved]],
        bounds[moved],
    )
    found = np.zeros(len(owners))
    chances = np.divide(right, counts, out=np.zeros(len(counts)), where=counts > 0)
    found[rows] = np.minimum(chances, 1.0)
    return found


class OwnRows(NamedTuple):
    """Some originals beside every row of their owner."""

    asking: Longs
    """The original of each couple; all couples of an original are neighbours."""
    own: Longs
    """A row of its owner."""
    first: Longs
    """Where the couples of each of ``rows`` begin."""
    rows: Longs


def own_rows(owners: Longs, groups: Groups, some: Longs | None = None) -> Iterator[OwnRows]:
    """All originals, or some, beside the rows of their owners, a few at a time.

    As many rows as the groups count: each, or equal rows of one person once.
    """
    _, owner = np.unique(owners, return_inverse=True)
    if groups.sizes.sum() < len(owner):  # people are counted: each of their distinct rows once
        key = owner * len(groups.points) + groups.of_row
        rows = np.unique(key, return_index=True)[1]
    else:
        rows = np.argsort(owner, kind="stable")
    n_own = np.bincount(owner[rows], minlength=int(owner.max(initial=-1)) + 1)
    starts = np.cumsum(n_own) - n_own
    sizes = n_own[owner]
    asked = np.arange(len(owner)) if some is None else some
    for part in _chunks(sizes[asked]):
        chunk = asked[part]
        asking = np.repeat(chunk, sizes[chunk])
        first = np.cumsum(sizes[chunk]) - sizes[chunk]
        within = np.arange(len(asking)) - np.repeat(first, sizes[chunk])
        yield OwnRows(asking, rows[starts[owner[asking]] + within], first, chunk)


def _own_distances(
    comparison: RecordComparison, owners: Longs, groups: Groups, some: Longs | None
) -> tuple[Floats, Floats]:
    """Distance of each original to the nearest row of its owner, and how many of them are that.

    Of some originals, if they are named; nothing is said of the others.
    """
    from microveil.kernels.linkage.link_bounds import CLOSE
    from microveil.kernels.linkage.link_records import true_distances

    least, right = np.empty(len(owners)), np.empty(len(owners))
    for couples in own_rows(owners, groups, some):
        apart = true_distances(
            comparison.metric,
            comparison.queries[couples.asking],
            comparison.records[couples.own],
        )
        least[couples.rows] = np.minimum.reduceat(apart, couples.first)
        near = apart <= least[couples.asking] * (1 + CLOSE)
        right[couples.rows] = np.add.reduceat(near, couples.first, dtype=np.float64)
    return least, right


def _chunks(sizes: Longs) -> Iterator[Longs]:
    """Rows whose pairs are few enough to be held together."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = ends[start - 1] if start else 0
        stop = max(int(np.searchsorted(ends, before + PAIRS_HELD, side="right")), start + 1)
        yield np.arange(start, stop)
        start = stop


def worth(found: Floats, people: Longs | None) -> float:
    """Mean over people, each by the row that is most likely linked; over rows without people."""
    if not len(found):
        return 0.0
    return float((found if people is None else by_person(found, people)).mean())


def by_person(found: Floats, people: Longs) -> Floats:
    """The largest of each person's numbers."""
    numbers, place = np.unique(people, return_inverse=True)
    most = np.full(len(numbers), -np.inf)
    np.maximum.at(most, place, found)
    return most


def nearest_links(
    comparison: RecordComparison, origin: Longs, right: Floats, rows: Longs
) -> pl.DataFrame:
    """The released row that is nearest to each original, the first of those equally near.

    Only the originals of these rows of the release are linked.
    """
    from microveil.kernels.linkage.link_bounds import Candidates
    from microveil.kernels.neighbours.pair_distances import nearest_candidates

    groups = group_rows(comparison.records)
    queries = comparison.queries[rows]
    places, _ = nearest_candidates(
        comparison.metric, queries, Candidates(groups.points, groups.sizes), 1
    )
    _, first = np.unique(groups.of_row, return_index=True)
    linked = np.full(len(origin), -1)
    linked[rows] = first[places[:, 0]] if len(rows) else 0
    return links_frame(comparison, origin, linked, right, rows)


def links_frame(
    comparison: RecordComparison,
    origin: Longs,
    linked: Longs,
    right: Floats,
    rows: Longs | None = None,
) -> pl.DataFrame:
    """Links as a table: who, to which row, how many rows are as near, and how likely it is right.

    Positions count from 0; a record that is linked to none has no row.
    """
    from microveil.kernels.linkage.link_bounds import Candidates
    from microveil.kernels.linkage.link_records import count_nearest, true_distances

    rows = np.arange(len(origin)) if rows is None else rows
    rows = rows[np.argsort(origin[rows], kind="stable")]
    groups = group_rows(comparison.records)
    to = linked[rows]
    there = to >= 0
    queries = comparison.queries[rows]
    apart = true_distances(comparison.metric, queries, comparison.records[to])
    counts = count_nearest(
        comparison.metric,
        queries,
        Candidates(groups.points, groups.sizes),
        groups.of_row[to],
        apart,
    )
    found = pl.DataFrame(
        {
            "original": origin[rows],
            "released": to,
            "n_equally_near": counts,
            "chance": right[rows],
        }
    )
    linked_to = pl.Series("released", to).set(pl.Series(~there), None)
    return found.with_columns(linked_to)


def each_once(origin: Longs) -> bool:
    """Whether no owner has two rows."""
    return len(origin) == 0 or bool(np.bincount(origin).max() == 1)


def chance(owners: Longs, people: Longs | None = None) -> float:
    """Expected share of correct links by guessing a row, or a person."""
    if not len(owners):
        return 0.0
    if people is not None:
        return 1 / len(np.unique(people))
    return float((np.bincount(owners)[owners] / len(owners)).mean())
