"""The same linkage with NumPy, a column at a time: for a first use, before machine code."""

from collections.abc import Callable

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import stood_in_for
from microveil.kernels.linkage.link_bounds import CLOSE, NOTHING, Candidates
from microveil.kernels.neighbours.mixed_tree import (
    ABSOLUTE,
    ABSOLUTE_SPAN,
    NOMINAL,
    NUMBER,
    SPAN,
    WITHIN,
    WITHIN_SPAN,
    Metric,
)

MOST_CELLS = 400_000_000
"""Cells that are compared: about a second, less than it takes to compile a loop."""
MOST_ROWS_APART = 10_000_000
"""Cells of rows that are compared with the record of the same row, in less than a second."""
_BLOCK = 50_000
"""Distances that are worked out together: they fit the processor's cache."""


def without_machine_code(
    loop: Callable[..., object], queries: Floats, candidates: Candidates
) -> bool:
    """Whether NumPy compares the cells before the loop would be compiled."""
    return stood_in_for(loop, len(queries) * candidates.points.size, MOST_CELLS)


def rows_by_columns(metric: Metric, queries: Floats, records: Floats) -> Floats:
    """Distance of each query to the record of its row, summed in the order of the loop.

    >>> from microveil.kernels.neighbours.mixed_tree import number_metric
    >>> rows_by_columns(number_metric(1), np.array([[1.0]]), np.array([[3.0]])).tolist()
    [4.0]
    """
    total = np.zeros(len(queries))
    for j in range(queries.shape[1]):
        total += _column_apart(metric, j, queries[:, j], records[:, j])
    return total


def count_by_columns(
    metric: Metric, queries: Floats, candidates: Candidates, bounds: Floats
) -> Longs:
    """Number of rows at the distance `bounds` from each query; 0 if any row is nearer."""
    columns = np.ascontiguousarray(candidates.points.T, dtype=np.float64)
    counts = np.zeros(len(queries), np.int64)
    n_together = max(1, _BLOCK // max(1, columns.shape[1]))
    for start in range(0, len(queries), n_together):
        rows = slice(start, start + n_together)
        bound = bounds[rows, np.newaxis]
        beats, ties = bound * (1 - CLOSE) - NOTHING, bound * (1 + CLOSE) + NOTHING
        total = np.zeros((len(bound), columns.shape[1]))
        near = np.ones(total.shape, dtype=np.bool_)
        for j, cells in enumerate(columns):
            total += _column_apart(metric, j, queries[rows, j : j + 1], cells)
            near &= ~(total > ties)
        beaten = (near & (total < beats)).any(axis=1)
        counts[rows] = np.where(beaten, 0, near @ candidates.weights)
    return counts


def _column_apart(metric: Metric, j: int, numbers: Floats, cells: Floats) -> Floats:
    """Distances of cells of queries to those of records, as `cells_apart` has them."""
    unknown, gaps = np.isnan(numbers), np.isnan(cells)
    some = bool(unknown.any() or gaps.any())
    if some:
        numbers, cells = np.where(unknown, 0.0, numbers), np.where(gaps, 0.0, cells)
    with np.errstate(all="ignore"):  # a loop does not warn either
        apart = _present_apart(metric, j, numbers, cells)
    if some:
        apart = np.where(unknown | gaps, np.where(unknown & gaps, 0.0, metric.missing[j]), apart)
    return apart


def _present_apart(metric: Metric, j: int, numbers: Floats, cells: Floats) -> Floats:
    kind = metric.kinds[j]
    if kind == NUMBER:
        difference = cells - numbers
        return difference * difference
    if kind == ABSOLUTE:
        return np.abs(cells - numbers)
    if kind == NOMINAL:
        return np.where(cells == numbers, 0.0, metric.costs[j])
    if kind == WITHIN:
        return np.where(np.abs(cells - numbers) <= metric.widths[j], 0.0, metric.costs[j])
    codes = cells.astype(np.int64)
    if kind >= SPAN:
        return _spans_apart(metric, j, numbers, codes)
    places = metric.starts[j] + numbers.astype(np.int64) * metric.strides[j]
    return np.asarray(metric.tables[places + codes])


def _spans_apart(metric: Metric, j: int, numbers: Floats, codes: Longs) -> Floats:
    place = metric.starts[j] + codes * metric.strides[j]
    low, high, inside = (metric.tables[place + part] for part in range(3))
    gap = np.maximum(low - numbers, numbers - high)
    if metric.kinds[j] == WITHIN_SPAN:
        return np.where(gap <= 0.0, 0.0, float(metric.costs[j]))
    outside = np.maximum(gap if metric.kinds[j] == ABSOLUTE_SPAN else gap * gap, 2 * inside)
    apart = np.where(gap <= 0.0, inside, outside)
    return np.where(np.isnan(low), float(metric.costs[j]), apart).astype(np.float64)
