"""Linkage by categories and tables of distances, which bounding boxes cannot prune.

Candidates are sorted lexicographically, so that those with a common prefix are adjacent. A query
adds up its distance column by column, keeps the partial sums, and skips all candidates whose
prefix is already too far away.
"""

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.linkage.link_bounds import Candidates, in_threads, limits
from microveil.kernels.linkage.link_by_columns import count_by_columns, without_machine_code
from microveil.kernels.neighbours.mixed_tree import Metric, cells_apart

_CHUNK = 256


def count_by_prefix(
    metric: Metric, queries: Floats, candidates: Candidates, bounds: Floats
) -> Longs:
    """Number of rows at the distance `bounds` from each query; 0 if any row is nearer.

    Time grows with the queries times the distinct prefixes within reach of each.

    >>> from microveil.kernels.neighbours.mixed_tree import NOMINAL, number_metric
    >>> metric = number_metric(1)._replace(kinds=np.array([NOMINAL], np.int32), costs=np.ones(1))
    >>> candidates = Candidates(np.array([[0.0], [2.0]]), np.array([1, 3]))
    >>> count_by_prefix(metric, np.array([[2.0], [5.0]]), candidates, np.array([0.0, 1.0])).tolist()
    [3, 4]
    """
    if without_machine_code(_count, queries, candidates):
        return count_by_columns(metric, queries, candidates, bounds)
    records = np.ascontiguousarray(candidates.points, dtype=np.float64)
    # Columns with few distinct cells first: the fewer prefixes, the more is skipped at once.
    few = np.argsort([len(np.unique(column)) for column in records.T], kind="stable")
    metric = Metric(
        metric.kinds[few],
        metric.costs[few],
        metric.widths[few],
        metric.missing[few],
        metric.tables,
        metric.starts[few],
        metric.strides[few],
    )
    records, queries = records[:, few], np.ascontiguousarray(queries[:, few], dtype=np.float64)
    order = np.lexsort(records.T[::-1])
    records = np.ascontiguousarray(records[order])
    weights = np.ascontiguousarray(candidates.weights, dtype=np.int64)[order]
    fresh = _first_difference(records)
    passed = _ends_of_beginnings(fresh, records.shape[1])
    counts = np.zeros(len(queries), np.int64)

    def work(rows: Longs) -> None:
        _count(metric, queries, (records, weights, fresh, passed), (bounds, rows), counts)

    in_threads(work, np.arange(len(queries)), _CHUNK)
    return counts


def _first_difference(records: Floats) -> Ints:
    """The first column in which each record differs from the one before; missing equals missing."""
    differs = np.ones(records.shape, dtype=np.bool_)
    same = records[1:] == records[:-1]
    differs[1:] = ~(same | (np.isnan(records[1:]) & np.isnan(records[:-1])))
    fresh = np.where(differs.any(axis=1), differs.argmax(axis=1), records.shape[1])
    fresh[:1] = 0
    return np.asarray(fresh, dtype=np.int32)


@kernel
def _ends_of_beginnings(fresh: Ints, n_columns: int) -> Ints:
    """For each record and column: the next record whose prefix up to that column differs."""
    n = fresh.size
    passed = np.empty((n, n_columns), np.int32)
    following = np.full(n_columns, n, np.int32)
    for record in range(n - 1, -1, -1):
        passed[record] = following
        following[fresh[record] :] = record
    return passed


@kernel
def _count(
    metric: Metric,
    queries: Floats,
    candidates: tuple[Floats, Longs, Ints, Ints],
    asked: tuple[Floats, Longs],
    counts: Longs,
) -> None:
    records, weights, fresh, passed = candidates
    bounds, rows = asked
    d = records.shape[1]
    sums = np.zeros(d + 1)
    for i in rows:
        beats, ties = limits(bounds[i])
        record, count = 0, 0
        while record < len(records):
            column = fresh[record]
            while column < d:
                apart = cells_apart(metric, column, queries[i, column], records[record, column])
                sums[column + 1] = sums[column] + apart
                if sums[column + 1] > ties:
                    break
                column += 1
            if column < d:
                record = passed[record, column]
                continue
            if sums[d] < beats:
                count = 0
                break
            count += weights[record]
            record += 1
        counts[i] = count
