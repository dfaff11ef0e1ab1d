from __future__ import annotations

import numpy as np

from microveil.kernels.linkage.link_records import true_distances
from microveil.pairs.known_columns import pair_tables
from microveil.risk.linkage.compared import comparison_of, mean_difference, number_comparison
from microveil.risk.linkage.distances import by_category, compare
from microveil.tables import Table


def test_some_columns_are_compared_as_in_the_whole() -> None:
    before = Table({"a": [1.0, 2.0, 4.0], "b": ["x", "y", "z"], "c": ["p", "q", "p"]})
    after = Table({"a": [1.5, 2.0, 9.0], "b": ["x", "{x, y}", "*"], "c": ["q", "q", "p"]})
    whole = compare(pair_tables(before, after, ()), "none", {})
    parts = [whole.only([place]) for place in range(3)]
    sums = [true_distances(one.metric, one.queries, one.records) for one in (whole, *parts)]
    assert sums[0].tolist() == (sums[1] + sums[2] + sums[3]).tolist()


def test_only_equal_rows_of_exact_columns_can_be_at_distance_0() -> None:
    words = Table({"x": ["a", "b"]}).frame["x"]
    codes = by_category(words, words, 1.0)
    assert comparison_of([codes], 1, 2).exact
    assert not comparison_of([codes._replace(exact=False)], 1, 2).exact
    assert number_comparison(np.zeros((2, 1)), np.zeros((2, 1))).exact


def test_the_order_of_rows_follows_what_they_contain() -> None:
    rows = np.array([[3.0], [1.0], [2.0]])
    one, other = np.array([0, 1, 2]), np.array([2, 0, 1])
    ordered = [
        rows[mixed][number_comparison(rows[mixed], rows[mixed]).order()] for mixed in (one, other)
    ]
    assert ordered[0].tolist() == ordered[1].tolist()
    assert mean_difference(np.array([np.nan, 1.0, 3.0])) == 1.0
