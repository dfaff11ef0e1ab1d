"""The same linkage with NumPy, a column at a time: for a first use, before machine code."""

from collections.abc import Callable

import numpy as np

from microveil.kernels.jit import Floats, Longs, stood_in_for
from microveil.kernels.linkage.link_bounds import CLOSE, NOTHING, Candidates
from microveil.kernels.neighbours.mixed_tree import (
    ABSOLUTE,
    ABSOLUTE_SPAN,
    NOMINAL,
    NUMBER,
    SPAN,
    WITHIN,
    Metric,
)

MOST_CELLS = 150_000_000
"""Cells that are compared: about a second, less than it takes to compile a loop."""


def without_machine_code(
    loop: Callable[..., object], queries: Floats, candidates: Candidates
) -> bool:
    """Whether NumPy compares the cells before the loop would be compiled."""
    return stood_in_for(loop, len(queries) * candidates.points.size, MOST_CELLS)


def count_by_columns(
    metric: Metric, queries: Floats, candidates: Candidates, bounds: Floats
) -> Longs:
    """Number of rows at the distance `bounds` from each query; 0 if any row is nearer."""
    columns = np.ascontiguousarray(candidates.points.T, dtype=np.float64)
    beats, ties = bounds * (1 - CLOSE) - NOTHING, bounds * (1 + CLOSE) + NOTHING
    counts = np.zeros(len(queries), np.int64)
    for i, query in enumerate(queries):
        total = np.zeros(columns.shape[1])
        near = np.ones(columns.shape[1], dtype=np.bool_)
        for j, cells in enumerate(columns):
            total += _column_apart(metric, j, float(query[j]), cells)
            near &= ~(total > ties[i])
        if not (total[near] < beats[i]).any():
            counts[i] = candidates.weights[near].sum()
    return counts


def _column_apart(metric: Metric, j: int, number: float, cells: Floats) -> Floats:
    """Distances of one cell of a query to those of all records, as `cells_apart` has them."""
    gaps = np.isnan(cells)
    if np.isnan(number):
        return np.where(gaps, 0.0, metric.missing[j])
    with np.errstate(all="ignore"):  # a loop does not warn either
        apart = _present_apart(metric, j, number, np.where(gaps, 0.0, cells))
    return np.where(gaps, metric.missing[j], apart)


def _present_apart(metric: Metric, j: int, number: float, cells: Floats) -> Floats:
    kind = metric.kinds[j]
    if kind == NUMBER:
        difference = cells - number
        return difference * difference
    if kind == ABSOLUTE:
        return np.abs(cells - number)
    if kind == NOMINAL:
        return np.where(cells == number, 0.0, metric.costs[j])
    if kind == WITHIN:
        return np.where(np.abs(cells - number) <= metric.widths[j], 0.0, metric.costs[j])
    codes = cells.astype(np.int64)
    if kind >= SPAN:
        return _spans_apart(metric, j, number, codes)
    place = metric.starts[j] + int(number) * metric.strides[j]
    return np.asarray(metric.tables[place + codes])


def _spans_apart(metric: Metric, j: int, number: float, codes: Longs) -> Floats:
    place = metric.starts[j] + codes * metric.strides[j]
    low, high, inside = (metric.tables[place + part] for part in range(3))
    gap = np.maximum(low - number, number - high)
    outside = np.maximum(gap if metric.kinds[j] == ABSOLUTE_SPAN else gap * gap, 2 * inside)
    apart = np.where(gap <= 0.0, inside, outside)
    return np.where(np.isnan(low), float(metric.costs[j]), apart).astype(np.float64)
