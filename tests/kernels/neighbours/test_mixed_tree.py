from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.neighbours.mixed_tree import (
    SPAN,
    Metric,
    build_mixed_tree,
    cells_apart,
    least_apart,
    most_apart,
    rows_apart,
)
from tests.kernels.mixed import mixed_metric, naive, some_rows

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 60)


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


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_rows_are_as_far_apart_as_their_cells_by_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    metric, rows = mixed_metric(rng), some_rows(rng, 12)
    for first in rows:
        for second in rows:
            expected = naive(metric, first, second)
            assert rows_apart(metric, first, second) == pytest.approx(expected)
            cells = [cells_apart(metric, j, first[j], second[j]) for j in range(5)]
            assert sum(cells) == pytest.approx(expected)


def test_a_number_beside_a_span_is_as_far_as_the_span_s_end() -> None:
    one = np.zeros(1)
    tables = np.array([2.0, 5.0, 0.1, np.nan, 0.0, 0.0])  # from 2 to 5; a span not known
    metric = Metric(
        np.array([SPAN], np.int32),
        np.array([7.0]),
        one,
        np.array([3.0]),
        tables,
        np.zeros(1, np.int64),
        np.full(1, 3, np.int64),
    )
    for number, expected in ((3.0, 0.1), (2.0, 0.1), (5.1, 0.2), (7.0, 4.0), (0.0, 4.0)):
        assert cells_apart(metric, 0, number, 0.0) == pytest.approx(expected)
    assert cells_apart(metric, 0, 3.0, 1.0) == 7.0
    assert cells_apart(metric, 0, np.nan, 0.0) == 3.0
    assert cells_apart(metric, 0, np.nan, np.nan) == 0.0
