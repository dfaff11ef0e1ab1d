from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.linkage.link_bounds import Candidates
from microveil.kernels.neighbours.mixed_tree import number_metric
from microveil.kernels.neighbours.pair_distances import (
    MOST_COLUMNS,
    all_distances,
    count_patterns,
    nearest_candidates,
)
from tests.kernels.mixed import mixed_metric, naive, some_rows

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 60)


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
