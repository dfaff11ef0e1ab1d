"""One-to-one linkage with the smallest total distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Longs
from microveil.errors import InputError
from microveil.risk.linkage.linking import Groups, group_rows

if TYPE_CHECKING:
    from microveil.risk.linkage.compared import RecordComparison

EXACT = 5_000
"""Records up to which all pairs are considered."""
MOST = 50_000
"""Beyond this even the nearest pairs are too many."""
NEAREST = 24
"""Candidates of each record above EXACT."""


class Assigned(NamedTuple):
    """Credits for the links, and how they were found."""

    credits: Floats
    n_unlinked: int
    """Records for which none of their nearest candidates was left."""
    exact: bool
    linked: Longs
    """Row of the release that each row's original is linked to; −1 for none."""


def assigned_credits(comparison: RecordComparison, origin: Longs) -> Assigned:
    """Probability, for each released row, that its original is linked to it.

    All pairs are considered up to 5,000 records. Beyond that, each record may be linked only to one
    of its 24 nearest distinct candidates, or to none at the cost of the farthest of them. The
    intruder cannot distinguish equal released records, so a link to one of t is right with
    probability 1/t.
    """
    n = len(origin)
    if n > MOST:
        raise InputError(
            "Assignment of {n} records takes too long (at most {most}). Measure a sample, or "
            "use `method: distance`.",
            n=n,
            most=MOST,
        )
    order, mixed = _mix_rows(comparison)
    groups = group_rows(mixed.records)
    found = _all_pairs(mixed) if n <= EXACT else _near_pairs(mixed, groups)
    linked = np.empty(n, np.int64)
    linked[order.queries] = np.where(found >= 0, order.records[found], -1)
    groups = groups._replace(of_row=groups.of_row[np.argsort(order.records)])
    there = linked >= 0
    right = np.zeros(n)
    right[there] = _right_share(groups, origin, linked, there)
    return Assigned(right, int(n - there.sum()), n <= EXACT, linked)


class _Order(NamedTuple):
    queries: Longs
    records: Longs


def _mix_rows(comparison: RecordComparison) -> tuple[_Order, RecordComparison]:
    """The same records, each table in an order that is independent of the other.

    Row order decides between assignments of equal cost, and rows in the same position belong
    together, so the truth would leak into the links. The new order depends on values only.
    """
    queries = (
        np.lexsort(comparison.queries.T[::-1]) if comparison.queries.size else _all(comparison)
    )
    records = (
        np.lexsort(comparison.records.T[::-1]) if comparison.records.size else _all(comparison)
    )
    records = np.random.default_rng(0).permutation(records)
    mixed = comparison._replace(
        queries=comparison.queries[queries], records=comparison.records[records]
    )
    return _Order(queries, records), mixed


def _all(comparison: RecordComparison) -> Longs:
    return np.arange(len(comparison.records))


def _right_share(groups: Groups, origin: Longs, linked: Longs, there: NDArray[np.bool_]) -> Floats:
    """Rows of the linked group that came from the target, over the size of the group."""
    n = len(origin)
    key = groups.of_row * (int(origin.max(initial=0)) + 1) + origin
    keys, counts = np.unique(key, return_counts=True)
    wanted = groups.of_row[linked[there]] * (int(origin.max(initial=0)) + 1) + origin[there]
    place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0)) if n else wanted
    found = np.where(keys[place] == wanted, counts[place], 0) if n else wanted
    return np.asarray(found / groups.sizes[groups.of_row[linked[there]]])


def _all_pairs(comparison: RecordComparison) -> Longs:
    from scipy.optimize import linear_sum_assignment

    from microveil.kernels.neighbours.pair_distances import all_distances

    distances = all_distances(comparison.metric, comparison.queries, comparison.records)
    return np.asarray(linear_sum_assignment(distances)[1], dtype=np.int64)


def _near_pairs(comparison: RecordComparison, groups: Groups) -> Longs:
    """Each query's best row by a full matching of a sparse graph; −1 if nobody is left."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    from microveil.kernels.linkage.link_bounds import Candidates
    from microveil.kernels.neighbours.pair_distances import nearest_candidates

    n = len(comparison.queries)
    wanted = min(NEAREST, len(groups.points))
    places, distances = nearest_candidates(
        comparison.metric,
        comparison.queries,
        Candidates(groups.points, groups.sizes),
        wanted,
    )
    rows = _rows_of_groups(groups, places)
    # One extra column per record: staying unlinked costs as much as its farthest candidate.
    columns = np.column_stack([rows, n + np.arange(n)])
    costs = np.column_stack([distances, distances[:, -1]]) + _nonzero(distances)
    index = np.arange(0, columns.size + 1, wanted + 1)
    graph = csr_array((costs.ravel(), columns.ravel(), index), shape=(n, 2 * n))
    found = min_weight_full_bipartite_matching(graph)[1]
    return np.where(found < n, found, -1)


def _nonzero(distances: Floats) -> float:
    """Constant added to every cost, since a sparse graph has no edge of cost 0."""
    return max(float(distances.max(initial=0.0)), 1.0)


def _rows_of_groups(groups: Groups, places: Longs) -> Longs:
    """A row of each group: equal rows are used in turn, so that all of them are offered."""
    order = np.argsort(groups.of_row, kind="stable")
    starts = np.cumsum([0, *groups.sizes[:-1]])
    turn = np.arange(len(places))[:, None] % groups.sizes[places]
    return np.asarray(order[starts[places] + turn])
