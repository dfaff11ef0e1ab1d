from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.linkage.link_bounds import Candidates
from microveil.kernels.linkage.link_by_prefix import count_by_prefix
from microveil.kernels.neighbours.mixed_tree import NOMINAL, NUMBER, SPAN, TABLE, Metric

CODES = 4


def some_metric(rng: np.random.Generator) -> Metric:
    """A column of each kind; the spans' rows stand behind the table."""
    low = rng.integers(0, 4, CODES).astype(np.float64)
    spans = np.column_stack([low, low + rng.integers(0, 3, CODES), np.full(CODES, 1e-9)])
    spans[0, :2] = np.nan if rng.random() < 0.3 else spans[0, :2]
    table = rng.integers(0, 3, (CODES, CODES)).astype(np.float64)
    return Metric(
        np.array([NUMBER, NOMINAL, TABLE, SPAN], np.int32),
        np.array([0.0, 1.5, 0.0, 2.5]),
        np.zeros(4),
        np.array([2.0, 0.7, 0.9, 1.1]),
        np.concatenate([table.ravel(), spans.ravel()]),
        np.array([0, 0, 0, table.size]),
        np.array([0, 0, CODES, 3]),
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
        elif metric.kinds[j] == TABLE:
            total += metric.tables[int(x) * CODES + int(y)]
        else:
            low, high, inside = metric.tables[CODES * CODES :].reshape(-1, 3)[int(y)]
            beside = max(low - x, x - high, 0.0) ** 2
            total += metric.costs[j] if np.isnan(low) else max(beside, inside)
    return total


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 20))
@settings(max_examples=60, deadline=None)
def test_ties_are_counted_as_a_scan_counts_them(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    metric = some_metric(rng)
    records, queries = (rng.integers(0, CODES, (size, 4)).astype(float) for size in (n, m))
    for rows in (records, queries):
        rows[rng.random(rows.shape) < 0.15] = np.nan
    weights = rng.integers(1, 4, n)
    apart = np.array([[naive(metric, query, record) for record in records] for query in queries])
    own = apart[np.arange(m), rng.integers(0, n, m)]
    counts = count_by_prefix(metric, queries, Candidates(records, weights), own)
    beaten = (apart < own[:, None] * (1 - 1e-9)).any(axis=1)
    ties = ((apart <= own[:, None] * (1 + 1e-9)) * weights).sum(axis=1)
    assert counts.tolist() == np.where(beaten, 0, ties).tolist()


def test_one_record_and_no_query_are_fine() -> None:
    metric = some_metric(np.random.default_rng(0))
    one = Candidates(np.zeros((1, 4)), np.array([3]))
    assert count_by_prefix(metric, np.zeros((0, 4)), one, np.zeros(0)).tolist() == []
    far = np.full(1, 1e9)
    assert count_by_prefix(metric, np.zeros((1, 4)), one, far).tolist() == [0]
