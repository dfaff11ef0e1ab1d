from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from microveil.kernels.recoding.classes import (
    Parts,
    close_gap,
    cost_instead,
    cost_with,
    cost_without,
    move_row,
    open_recoding,
    price_of_joining,
    price_of_leaving,
    price_of_swap,
    total_cost,
)
from microveil.kernels.recoding.merge import paid_by_classes
from tests.kernels.recoded import numbered, parts_of, records_of, rows, space_of


@settings(max_examples=30, deadline=None)
@given(rows)
def test_prices_are_what_a_fresh_count_finds(records: list[tuple[int, ...]]) -> None:
    space = space_of(records)
    n = len(space.codes)
    ones = np.ones(n, dtype=np.int64)
    rng = np.random.default_rng(n)
    labels = rng.integers(0, max(n // 3, 1), n).astype(np.int32)
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    recoding = open_recoding(parts_of(space.codes), labels, space.trees, 2, 0)

    def cost_of(members: np.ndarray) -> float:
        sub = np.zeros(len(members), dtype=np.int32)
        return paid_by_classes(space.codes[members], ones[members], sub, space.trees) / len(members)

    for row in range(n):
        own = np.flatnonzero(recoding.labels == recoding.labels[row])
        if len(own) > 1:
            expected = cost_of(own[own != row])
            assert cost_without(recoding, space.trees, row) == pytest.approx(expected)
        other = int(rng.integers(0, recoding.state[0]))
        there = np.flatnonzero(recoding.labels == other)
        if other == recoding.labels[row] or not len(there):
            continue
        joined = cost_of(np.append(there, row))
        assert cost_with(recoding, space.trees, row, other) == pytest.approx(joined)
        partner = int(there[0])
        if len(there) > 1:
            swapped = cost_of(np.append(there[there != partner], row))
            assert cost_instead(recoding, space.trees, partner, row) == pytest.approx(swapped)
        if len(own) > 1:
            move_row(recoding, space.trees, row, other)
    alive = np.unique(recoding.labels, return_inverse=True)[1].astype(np.int32)
    fresh = paid_by_classes(space.codes, ones, alive, space.trees)
    assert total_cost(recoding) == pytest.approx(fresh)


@settings(max_examples=30, deadline=None)
@given(rows)
def test_moves_and_swaps_cost_what_they_change(records: list[tuple[int, ...]]) -> None:
    space = space_of(records)
    codes = records_of(space)
    ones, rng = np.ones(len(codes), dtype=np.int64), np.random.default_rng(len(codes))
    labels = numbered(rng.integers(0, max(len(codes) // 3, 1), len(codes)))
    recoding = open_recoding(parts_of(codes), labels, space.trees, 2, 0)
    for _ in range(10):
        row, other = (int(one) for one in rng.integers(0, len(codes), 2))
        own, there = int(recoding.labels[row]), int(recoding.labels[other])
        if own == there:
            continue
        before = paid_by_classes(codes, ones, numbered(recoding.labels), space.trees)
        tried = recoding.labels.copy()
        tried[[row, other]] = there, own
        swapped = paid_by_classes(codes, ones, numbered(tried), space.trees) - before
        if recoding.size[own] > 1 and recoding.size[there] > 1:
            assert price_of_swap(recoding, space.trees, row, other) == pytest.approx(swapped)
        if recoding.size[own] > 1:
            price = price_of_leaving(recoding, space.trees, row)
            price += price_of_joining(recoding, space.trees, row, there)
            move_row(recoding, space.trees, row, there)
            after = paid_by_classes(codes, ones, numbered(recoding.labels), space.trees)
            assert price == pytest.approx(after - before)
            assert total_cost(recoding) == pytest.approx(after)


def test_an_emptied_class_gives_its_number_to_the_last() -> None:
    space = space_of([(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 2, 1), (4, 3, 2)])
    codes = records_of(space)
    values = np.array([[0], [1], [0], [1], [2]], dtype=np.int32)
    parts = Parts(codes, np.ones(5, dtype=np.int64), values)
    labels = np.array([0, 0, 1, 2, 2], dtype=np.int32)
    recoding = open_recoding(parts, labels, space.trees, 2, 3)
    assert recoding.amounts[:3].tolist() == [[1, 1, 0], [1, 0, 0], [0, 1, 1]]
    move_row(recoding, space.trees, 2, 0)
    paid = total_cost(recoding)
    close_gap(recoding, 1)
    assert recoding.state[0] == 2
    assert recoding.labels.tolist() == [0, 0, 0, 1, 1]
    assert recoding.size[:3].tolist() == [3, 2, 0]
    assert recoding.amounts[:3].tolist() == [[2, 1, 0], [0, 1, 1], [0, 0, 0]]
    assert total_cost(recoding) == pytest.approx(paid)
