from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings

from microveil.kernels.recoding.merge import merge_nearest, open_merging, paid_by_classes
from microveil.search.local_recoding.orders import orders_by_likeness
from tests.kernels.recoded import everything, naive_paid, numbered, rows, space_of


def test_a_record_that_is_all_star_pays_one() -> None:
    space = everything()
    labels = np.zeros(len(space.codes), dtype=np.int32)
    paid = paid_by_classes(space.codes, space.weights, labels, space.trees)
    assert paid / space.n_records == pytest.approx(1.0)


@settings(max_examples=30, deadline=None)
@given(rows)
@example([(2, 2, 0), (0, 0, 2), (0, 0, 2), (0, 2, 2), (0, 2, 2)])
def test_merging_takes_the_cheapest_partner_in_reach(records: list[tuple[int, ...]]) -> None:
    space = space_of(records)
    n = len(space.codes)
    if n < 2:
        return
    labels = np.arange(n, dtype=np.int32)
    merging = open_merging(space.codes, space.weights, labels, space.trees)
    nearby = orders_by_likeness(space.codes, space, 3, np.random.default_rng(1))
    before = naive_paid(space, labels)
    wanting = np.array([0], dtype=np.int32)
    assert merge_nearest(merging, space.trees, nearby, wanting, n) == 1
    paid = []
    for other in range(1, n):
        tried = labels.copy()
        tried[other] = 0
        paid.append(naive_paid(space, tried) - before)
    assert naive_paid(space, merging.labels) - before == pytest.approx(min(paid))


@settings(max_examples=30, deadline=None)
@given(rows)
def test_classes_pay_for_the_lowest_labels_they_have_in_common(
    records: list[tuple[int, ...]],
) -> None:
    space = space_of(records)
    rng = np.random.default_rng(len(records))
    labels = numbered(rng.integers(0, max(len(space.codes) // 2, 1), len(space.codes)))
    paid = paid_by_classes(space.codes, space.weights, labels, space.trees)
    assert paid == pytest.approx(naive_paid(space, labels))


def test_each_class_merges_once_a_round_the_cheapest_pairs_first() -> None:
    space = space_of([(0, 0, 0), (1, 0, 0), (3, 2, 1), (4, 2, 1), (5, 3, 2)])
    n = len(space.codes)
    labels = np.arange(n, dtype=np.int32)
    merging = open_merging(space.codes, space.weights, labels, space.trees)
    nearby = orders_by_likeness(space.codes, space, 3, np.random.default_rng(1))
    merged = merge_nearest(merging, space.trees, nearby, labels, n)
    assert merged == 2
    sizes = np.bincount(numbered(merging.labels))
    assert sorted(sizes.tolist()) == [1, 2, 2]
    paid = float((merging.size * merging.cost).sum())
    assert paid == pytest.approx(naive_paid(space, numbered(merging.labels)))
