"""Linking records: credits for correct links, shared among ties."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.pairs.known_columns import Rows
from microveil.pairs.numbers import Numbers
from microveil.tables.codes import Codes, combined, encode

if TYPE_CHECKING:
    from microveil.kernels.neighbours.mixed_tree import Metric
    from microveil.risk.linkage.distances import RecordComparison


class Groups(NamedTuple):
    """Distinct rows."""

    points: Numbers
    of_row: Rows
    """The distinct point of each row."""
    sizes: Rows


def grouped(records: Numbers) -> Groups:
    """The distinct rows; missing equals missing."""
    n = len(records)
    if not records.shape[1] or not n:
        return Groups(records[: min(n, 1)], np.zeros(n, np.int64), np.array([n] if n else []))
    packed = Codes(np.zeros(n, dtype=np.int64), 1)
    for column in records.T:
        # Adding 0 turns −0 into 0.
        packed = combined(packed, encode(pl.Series(column + 0.0)))
    _, first, of_row = np.unique(packed.values, return_index=True, return_inverse=True)
    if len(first) == n:
        return Groups(records, np.arange(n), np.ones(n, dtype=np.int64))
    # In the order in which they first occur.
    leads = np.sort(first)
    of_row = np.searchsorted(leads, first)[of_row]
    return Groups(records[leads], of_row, np.bincount(of_row))


def nearest_credits(
    comparison: RecordComparison,
    origin: Rows,
    some: Rows | None = None,
    groups: Groups | None = None,
) -> Numbers:
    """Probability, for each released row, that linking its original to the nearest row is right.

    It is 1 if the true record alone is nearest, 1/t if it is one of t, and 0 if another is nearer.
    Rows that came from one original are correct links for each other. With ``some``, only those
    rows are linked, among all, and the others score 0. ``groups`` are the distinct released rows,
    if they are known already.
    """
    from microveil.kernels.linkage.link_bounds import CLOSE, Candidates
    from microveil.kernels.linkage.link_records import count_nearest, true_distances

    groups = grouped(comparison.records) if groups is None else groups
    apart = true_distances(comparison.metric, comparison.queries, comparison.records)
    bounds = _least_of(apart, origin)
    counts = np.zeros(len(apart), np.int64)
    unmoved = _exact(comparison.metric) & (bounds == 0) & (apart == 0)
    counts[unmoved] = groups.sizes[groups.of_row[unmoved]]
    moved = np.flatnonzero(~unmoved) if some is None else some[~unmoved[some]]
    counts[moved] = count_nearest(
        comparison.metric,
        comparison.queries[moved],
        Candidates(groups.points, groups.sizes),
        groups.of_row[moved],
        bounds[moved],
    )
    right = _count_by(apart <= bounds * (1 + CLOSE), origin)
    return np.asarray(np.divide(right, counts, out=np.zeros(len(counts)), where=counts > 0))


def nearest_links(
    comparison: RecordComparison, origin: Rows, right: Numbers, rows: Rows
) -> pl.DataFrame:
    """The released row that is nearest to each original, the first of those equally near.

    Only the originals of these rows of the release are linked.
    """
    from microveil.kernels.linkage.link_bounds import Candidates
    from microveil.kernels.neighbours.pair_distances import nearest_candidates

    groups = grouped(comparison.records)
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
    origin: Rows,
    linked: Rows,
    right: Numbers,
    rows: Rows | None = None,
) -> pl.DataFrame:
    """Links as a table: who, to which row, how many rows are as near, and how likely it is right.

    Positions count from 0; a record that is linked to none has no row.
    """
    from microveil.kernels.linkage.link_bounds import Candidates
    from microveil.kernels.linkage.link_records import count_nearest, true_distances

    rows = np.arange(len(origin)) if rows is None else rows
    rows = rows[np.argsort(origin[rows], kind="stable")]
    groups = grouped(comparison.records)
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


def _exact(metric: Metric) -> bool:
    """Whether only equal rows are at distance 0, so that only identical rows can tie."""
    from microveil.kernels.neighbours.mixed_tree import ABSOLUTE, NOMINAL, NUMBER

    costly = (metric.kinds == NUMBER) | (metric.kinds == ABSOLUTE)
    costly |= (metric.kinds == NOMINAL) & (metric.costs > 0)
    return bool(costly.all() and (metric.missing > 0).all())


def _least_of(values: Numbers, origin: Rows) -> Numbers:
    """Smallest value among the rows that came from the same original."""
    if _each_once(origin):
        return values
    least = np.full(int(origin.max(initial=-1)) + 1, np.inf)
    np.minimum.at(least, origin, values)
    return least[origin]


def _count_by(flags: NDArray[np.bool_], origin: Rows) -> Numbers:
    """Number of rows of the same original with the flag."""
    if _each_once(origin):
        return flags.astype(np.float64)
    return np.asarray(np.bincount(origin, weights=flags)[origin], dtype=np.float64)


def _each_once(origin: Rows) -> bool:
    return len(origin) == 0 or bool(np.bincount(origin).max() == 1)


def chance(origin: Rows) -> float:
    """Expected share of correct links by guessing."""
    if not len(origin):
        return 0.0
    return float((np.bincount(origin)[origin] / len(origin)).mean())
