"""Mixed columns with gaps, their metric, and distances cell by cell."""

from __future__ import annotations

import numpy as np

from microveil.kernels.neighbours.mixed_tree import NOMINAL, NUMBER, TABLE, WITHIN, Metric

CODES = 4


def mixed_metric(rng: np.random.Generator) -> Metric:
    """One column of each kind, and one more of numbers."""
    return Metric(
        np.array([NUMBER, NOMINAL, WITHIN, TABLE, NUMBER], np.int32),
        np.array([0.0, 1.5, 2.0, 0.0, 0.0]),
        np.array([0.0, 0.0, 1.0, 0.0, 0.0]),
        np.array([2.0, 0.7, 0.5, 0.9, 3.0]),
        rng.integers(0, 3, CODES * CODES).astype(np.float64),
        np.zeros(5, np.int64),
        np.full(5, CODES, np.int64),
    )


def naive(metric: Metric, first: np.ndarray, second: np.ndarray) -> float:
    total = 0.0
    for j, (x, y) in enumerate(zip(first, second, strict=True)):
        if np.isnan(x) or np.isnan(y):
            total += 0.0 if np.isnan(x) and np.isnan(y) else metric.missing[j]
        elif metric.kinds[j] == NUMBER:
            total += (x - y) ** 2
        elif metric.kinds[j] == NOMINAL:
            total += metric.costs[j] * (x != y)
        elif metric.kinds[j] == WITHIN:
            total += metric.costs[j] * (abs(x - y) > metric.widths[j])
        else:
            total += metric.tables[int(x) * CODES + int(y)]
    return total


def some_rows(rng: np.random.Generator, n: int, *, gaps: bool = True) -> np.ndarray:
    rows = rng.integers(0, CODES, (n, 5)).astype(np.float64)
    rows[:, 4] += rng.choice([0.0, 0.25], n)
    if gaps:
        rows[rng.random(rows.shape) < 0.15] = np.nan
    return rows
