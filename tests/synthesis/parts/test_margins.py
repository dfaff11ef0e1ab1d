from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.synthesis.parts.margins import Margin


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=40))
def test_a_value_comes_back_from_any_score_of_its_interval(values: list[int]) -> None:
    cells = np.array(values, dtype=np.float64)
    margin = Margin.of(cells, None, None)
    scores = margin.spread_scores(cells, np.random.default_rng(0))
    assert margin.cells(scores).tolist() == cells.tolist()


def test_edges_are_the_shares_of_the_records_by_weight() -> None:
    margin = Margin.of(np.array([5.0, 1.0, 5.0]), np.array([1.0, 2.0, 1.0]), None)
    assert margin.values.tolist() == [1.0, 5.0]
    assert margin.edges.tolist() == [0.0, 0.5, 1.0]


def test_scores_put_categories_in_order() -> None:
    margin = Margin.of(np.array([0, 1, 1, 2]), None, np.array([3.0, 1.0, 2.0]))
    assert margin.order.tolist() == [1, 2, 0]
    assert margin.kinds(np.array([0, 1, 2])).tolist() == [2, 0, 1]


def test_mean_scores_are_the_means_of_the_normal_intervals() -> None:
    margin = Margin.of(np.array([1.0, 2.0, 3.0, 3.0]), None, None)
    scores = margin.mean_scores()
    draws = np.random.default_rng(1).standard_normal(200_000)
    edges = [-np.inf, -0.6744897501960817, 0.0, np.inf]
    found = [draws[(draws > a) & (draws <= b)].mean() for a, b in pairwise(edges)]
    assert scores.tolist() == pytest.approx(found, abs=0.01)
    assert margin.mean_scores() @ np.diff(margin.edges) == pytest.approx(0, abs=1e-12)
