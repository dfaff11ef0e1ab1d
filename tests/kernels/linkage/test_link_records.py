from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.linkage.link_bounds import Candidates
from microveil.kernels.linkage.link_records import count_nearest, true_distances
from microveil.kernels.neighbours.count_in_boxes import count_in_boxes
from microveil.kernels.neighbours.mixed_tree import (
    NOMINAL,
    NUMBER,
    TABLE,
    WITHIN,
    Metric,
    build_mixed_tree,
    least_apart,
    most_apart,
    number_metric,
)
from microveil.kernels.neighbours.pair_distances import (
    MOST_COLUMNS,
    all_distances,
    count_patterns,
    nearest_candidates,
)

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


seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 60)


@given(seeds, sizes)
@settings(max_examples=40, deadline=None)
def test_ties_are_counted_as_a_scan_counts_them(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    metric, queries, records = mixed_metric(rng), some_rows(rng, n), some_rows(rng, n)
    weights = rng.integers(1, 4, n)
    bounds = true_distances(metric, queries, records)
    counts = count_nearest(metric, queries, Candidates(records, weights), np.arange(n), bounds)
    for i in range(n):
        apart = np.array([naive(metric, queries[i], record) for record in records])
        assert bounds[i] == pytest.approx(apart[i])
        beaten = (apart < apart[i] - 1e-9).any()
        assert counts[i] == (0 if beaten else weights[apart <= apart[i] + 1e-9].sum())


@given(seeds, sizes)
@settings(max_examples=40, deadline=None)
def test_complete_numbers_are_counted_as_a_scan_counts_them(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    queries = rng.integers(0, 5, (n, 3)).astype(np.float64)
    records = rng.integers(0, 5, (n, 3)).astype(np.float64)
    metric, weights = number_metric(3), rng.integers(1, 4, n)
    bounds = true_distances(metric, queries, records)
    counts = count_nearest(metric, queries, Candidates(records, weights), np.arange(n), bounds)
    apart = ((queries[:, None] - records[None]) ** 2).sum(axis=2)
    own = np.diag(apart)
    beaten = (apart < own[:, None]).any(axis=1)
    expected = np.where(beaten, 0, ((apart == own[:, None]) * weights).sum(axis=1))
    assert counts.tolist() == expected.tolist()


@given(seeds, sizes)
@settings(max_examples=25, deadline=None)
def test_boxes_bound_the_distances_of_all_records_inside(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    metric, query, records = mixed_metric(rng), some_rows(rng, 1)[0], some_rows(rng, n)
    tree = build_mixed_tree(records, np.ones(n, np.int64))
    assert tree.weights[0] == n
    for node in range(len(tree.child)):
        inside = [node]
        while (tree.child[inside] >= 0).any():
            inside = [
                below
                for one in inside
                for below in (
                    (tree.child[one], tree.child[one] + 1) if tree.child[one] >= 0 else (one,)
                )
            ]
        leaves = [~tree.child[one] for one in inside]
        rows = [r for leaf in leaves for r in tree.records[leaf, : tree.filled[leaf]]]
        apart = [naive(metric, query, records[row]) for row in rows]
        assert least_apart(tree, metric, node, query) <= min(apart) + 1e-12
        assert most_apart(tree, metric, node, query) >= max(apart) - 1e-12
        assert tree.weights[node] == len(rows)


@given(seeds, st.integers(5, 60))
@settings(max_examples=25, deadline=None)
def test_the_nearest_candidates_are_those_of_a_scan(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    metric, queries, records = mixed_metric(rng), some_rows(rng, 7), some_rows(rng, n)
    places, distances = nearest_candidates(
        metric, queries, Candidates(records, np.ones(n, np.int64)), 5
    )
    whole = all_distances(metric, queries, records)
    for i in range(7):
        expected = [naive(metric, queries[i], record) for record in records]
        assert whole[i].tolist() == pytest.approx(expected)
        assert distances[i].tolist() == pytest.approx(sorted(expected)[:5])
        assert whole[i, places[i]].tolist() == pytest.approx(distances[i].tolist())
        assert len(set(places[i].tolist())) == 5


@given(seeds, sizes)
@settings(max_examples=25, deadline=None)
def test_boxes_hold_what_a_scan_finds_in_them(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    records, weights = some_rows(rng, n), rng.integers(1, 4, n)
    low = rng.integers(0, CODES, (9, 5)).astype(np.float64)
    high = low + rng.integers(0, 3, (9, 5))
    low[0], high[0] = -np.inf, np.inf
    counts = count_in_boxes(low, high, Candidates(records, weights))
    outside = (records[None] < low[:, None]) | (records[None] > high[:, None])
    assert counts.tolist() == (~outside.any(axis=2) @ weights).tolist()
    assert counts[0] == weights.sum()


@given(seeds, sizes)
@settings(max_examples=25, deadline=None)
def test_patterns_of_agreement_are_counted_over_all_pairs(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    metric, queries, records = mixed_metric(rng), some_rows(rng, 4), some_rows(rng, n)
    weights = rng.integers(1, 4, n)
    counts = count_patterns(metric, queries, Candidates(records, weights))
    expected = np.zeros(32, np.int64)
    for query in queries:
        for record, weight in zip(records, weights, strict=True):
            bits = 0
            for j in range(5):
                alone = metric._replace(
                    **{
                        name: getattr(metric, name)[j : j + 1]
                        for name in ("kinds", "costs", "widths", "missing", "starts", "strides")
                    }
                )
                lone = np.isnan(query[j]) != np.isnan(record[j])
                agrees = not lone and naive(alone, query[j : j + 1], record[j : j + 1]) == 0
                bits |= int(agrees) << j
            expected[bits] += weight
    assert counts.tolist() == expected.tolist()


def test_too_many_columns_for_patterns_are_refused() -> None:
    wide = np.zeros((1, MOST_COLUMNS + 1))
    with pytest.raises(ValueError, match="columns at most"):
        count_patterns(
            number_metric(MOST_COLUMNS + 1), wide, Candidates(wide, np.ones(1, np.int64))
        )


def test_nothing_is_counted_among_nobody() -> None:
    nobody, nothing = np.zeros((0, 2)), np.zeros(0, np.int64)
    metric = number_metric(2)
    assert not len(count_nearest(metric, nobody, Candidates(nobody, nothing), nothing, np.zeros(0)))
    assert not len(count_in_boxes(nobody, nobody, Candidates(nobody, nothing)))


def test_without_columns_everybody_is_equally_near() -> None:
    blank = np.zeros((3, 0))
    candidates = Candidates(np.zeros((1, 0)), np.array([3]))
    found = count_nearest(number_metric(0), blank, candidates, np.zeros(3, np.int64), np.zeros(3))
    assert found.tolist() == [3, 3, 3]
    assert count_in_boxes(blank, blank, candidates).tolist() == [3, 3, 3]


def test_many_queries_are_shared_among_threads_without_a_difference() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(20_000, 3))
    y = x + rng.normal(scale=0.02, size=x.shape)
    metric, weights, own = number_metric(3), np.ones(20_000, np.int64), np.arange(20_000)
    bounds = true_distances(metric, x, y)
    whole = count_nearest(metric, x, Candidates(y, weights), own, bounds)
    some = slice(0, 500)
    part = count_nearest(metric, x[some], Candidates(y, weights), own[some], bounds[some])
    assert whole[some].tolist() == part.tolist()
