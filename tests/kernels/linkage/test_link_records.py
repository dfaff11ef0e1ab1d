from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.linkage import link_records
from microveil.kernels.linkage.link_bounds import Candidates
from microveil.kernels.linkage.link_records import count_nearest, true_distances
from microveil.kernels.neighbours.mixed_tree import number_metric
from tests.kernels.mixed import mixed_metric, naive, some_rows
from tests.kernels.ways import both_ways

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 60)


@given(seeds, sizes)
@settings(max_examples=40, deadline=None)
def test_ties_are_counted_as_a_scan_counts_them(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    metric, queries, records = mixed_metric(rng), some_rows(rng, n), some_rows(rng, n)
    weights = rng.integers(1, 4, n)
    bounds = true_distances(metric, queries, records)
    candidates = Candidates(records, weights)
    counts, plain = both_ways(
        lambda: count_nearest(metric, queries, candidates, np.arange(n), bounds)
    )
    assert counts.tolist() == plain.tolist()
    for i in range(n):
        apart = np.array([naive(metric, queries[i], record) for record in records])
        assert bounds[i] == pytest.approx(apart[i])
        beaten = (apart < apart[i] - 1e-9).any()
        assert counts[i] == (0 if beaten else weights[apart <= apart[i] + 1e-9].sum())


@pytest.mark.parametrize("scanned_pairs", [0, link_records.SCANNED_PAIRS], ids=["tree", "scan"])
@given(seeds, st.integers(1, 100))
@settings(max_examples=40, deadline=None)
def test_complete_numbers_are_counted_as_numpy_counts_them(
    scanned_pairs: int, seed: int, n: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link_records, "SCANNED_PAIRS", scanned_pairs)
        _compare_with_numpy(seed, n)


def _compare_with_numpy(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    queries = rng.integers(0, 5, (n, 3)).astype(np.float64)
    records = rng.integers(0, 5, (n, 3)).astype(np.float64)
    metric, weights = number_metric(3), rng.integers(1, 4, n)
    bounds = true_distances(metric, queries, records)
    candidates = Candidates(records, weights)
    counts, plain = both_ways(
        lambda: count_nearest(metric, queries, candidates, np.arange(n), bounds)
    )
    assert counts.tolist() == plain.tolist()
    apart = ((queries[:, None] - records[None]) ** 2).sum(axis=2)
    own = np.diag(apart)
    beaten = (apart < own[:, None]).any(axis=1)
    expected = np.where(beaten, 0, ((apart == own[:, None]) * weights).sum(axis=1))
    assert counts.tolist() == expected.tolist()


def test_nothing_is_counted_among_nobody() -> None:
    nobody, nothing = np.zeros((0, 2)), np.zeros(0, np.int64)
    metric = number_metric(2)
    assert not len(count_nearest(metric, nobody, Candidates(nobody, nothing), nothing, np.zeros(0)))


def test_without_columns_everybody_is_equally_near() -> None:
    blank = np.zeros((3, 0))
    candidates = Candidates(np.zeros((1, 0)), np.array([3]))
    found = count_nearest(number_metric(0), blank, candidates, np.zeros(3, np.int64), np.zeros(3))
    assert found.tolist() == [3, 3, 3]


def test_many_queries_are_shared_among_threads_without_a_difference() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(20_000, 3))  # more pairs than are scanned
    y = x + rng.normal(scale=0.02, size=x.shape)
    metric, weights, own = number_metric(3), np.ones(20_000, np.int64), np.arange(20_000)
    bounds = true_distances(metric, x, y)
    whole = count_nearest(metric, x, Candidates(y, weights), own, bounds)
    some = slice(0, 500)
    part = count_nearest(metric, x[some], Candidates(y, weights), own[some], bounds[some])
    assert whole[some].tolist() == part.tolist()


@given(seeds, sizes)
@settings(max_examples=40, deadline=None)
def test_numpy_finds_the_same_distances_to_the_last_bit(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    metric, queries, records = mixed_metric(rng), some_rows(rng, n), some_rows(rng, n)
    compiled, plain = both_ways(lambda: true_distances(metric, queries, records))
    assert compiled.tolist() == plain.tolist()
