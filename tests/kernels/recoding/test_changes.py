from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.rules import no_rules
from microveil.kernels.recoding.changes import (
    Room,
    cheapest_class,
    create_class,
    dissolve_class,
    leave_out,
    rows_of_class,
)
from microveil.kernels.recoding.classes import Parts, Recoding, open_recoding, total_cost
from microveil.kernels.recoding.merge import Nearby, paid_by_classes
from microveil.kernels.recoding.requirements import open_requirements
from microveil.search.local_recoding.orders import orders_by_likeness
from microveil.search.local_recoding.space import RecodingSpace
from tests.kernels.recoded import numbered, parts_of, records_of, rows, space_of


def opened(
    records: list[tuple[int, ...]], k: int
) -> tuple[RecodingSpace, np.ndarray, Recoding, Nearby]:
    """Records dealt out to classes of k or more."""
    space = space_of(records)
    codes = records_of(space)
    labels = (np.arange(len(codes)) % max(len(codes) // k, 1)).astype(np.int32)
    recoding = open_recoding(parts_of(codes), labels, space.trees, 4, 0)
    nearby = orders_by_likeness(codes, space, 4, np.random.default_rng(1))
    return space, codes, recoding, nearby


def paid(space: RecodingSpace, codes: np.ndarray, labels: np.ndarray) -> float:
    ones = np.ones(len(codes), dtype=np.int64)
    return float(paid_by_classes(codes, ones, numbered(labels), space.trees))


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(2, 4), st.integers(0, 100), st.sampled_from([-1e9, 0.0, 1e9]))
def test_a_class_dissolves_where_that_costs_at_most_the_limit(
    records: list[tuple[int, ...]], k: int, which: int, limit: float
) -> None:
    space, codes, recoding, nearby = opened(records, k)
    before, kept = paid(space, codes, recoding.labels), recoding.labels.copy()
    one = which % int(recoding.state[0])
    members = set(rows_of_class(recoding, one).tolist())
    assert members == set(np.flatnonzero(kept == one).tolist())
    requirements = open_requirements(k, no_rules())
    done = dissolve_class(recoding, space.trees, nearby, requirements, one, limit)
    after = paid(space, codes, recoding.labels)
    assert total_cost(recoding) == pytest.approx(after)
    if done:
        assert after - before <= limit + 1e-9
        assert np.bincount(recoding.labels).min() >= 1
        assert len(np.unique(recoding.labels)) == len(np.unique(kept)) - 1
    else:
        assert recoding.labels.tolist() == kept.tolist()
        assert after == pytest.approx(before)


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(2, 3), st.integers(0, 1000), st.sampled_from([0.0, 1e9]))
def test_a_new_class_has_k_and_leaves_k_to_the_others(
    records: list[tuple[int, ...]], k: int, which: int, limit: float
) -> None:
    space, codes, recoding, nearby = opened(records, k)
    n = len(codes)
    if n < k:
        return
    before, kept = paid(space, codes, recoding.labels), recoding.labels.copy()
    room = Room(np.empty(8 * k + 20, np.int32), np.empty(8 * k + 20), np.zeros(n + 8, np.int32))
    requirements = open_requirements(k, no_rules())
    pair = (which % nearby.order.shape[0], which % n, (which // 7) % n)
    done = create_class(recoding, space.trees, nearby, requirements, pair, limit, room)
    after = paid(space, codes, recoding.labels)
    assert total_cost(recoding) == pytest.approx(after)
    if done:
        assert after - before <= limit + 1e-9
        assert np.bincount(recoding.labels).min() >= k
        assert recoding.state[0] == kept.max() + 2
    else:
        assert recoding.labels.tolist() == kept.tolist()
    assert not room.taken.any()


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(0, 1000))
def test_the_cheapest_class_nearby_is_cheapest_where_all_are_nearby(
    records: list[tuple[int, ...]], which: int
) -> None:
    records = records[:5]  # two places to each side reach everybody
    space, codes, recoding, nearby = opened(records, 2)
    row = which % len(codes)
    own = int(recoding.labels[row])
    others = sorted(set(recoding.labels.tolist()) - {own})
    best, target = cheapest_class(recoding, space.trees, nearby, row, own)
    if not others:
        assert target == -1
        return
    alone = recoding.labels.copy()
    alone[row] = 99
    prices = []
    for one in others:
        joined = alone.copy()
        joined[row] = one
        prices.append(paid(space, codes, joined) - paid(space, codes, alone))
    if target >= 0 and len(codes) <= 5:
        own_cost = 0.0  # a record alone pays nothing
        assert best == pytest.approx(min(prices) + own_cost)


def test_a_class_with_a_part_of_several_records_does_not_move() -> None:
    space = space_of([(0, 0, 0), (0, 0, 0), (1, 0, 0)])
    parts = Parts(space.codes, space.weights.astype(np.int64), np.empty((2, 0), np.int32))
    recoding = open_recoding(parts, np.zeros(2, np.int32), space.trees, 2, 0)
    assert not len(rows_of_class(recoding, 0))


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(2, 3), st.floats(0.05, 1), st.integers(0, 6))
def test_records_left_out_save_more_than_their_price(
    records: list[tuple[int, ...]], k: int, price: float, most: int
) -> None:
    space, codes, _, _ = opened(records, k)
    labels = (np.arange(len(codes)) % max(len(codes) // k, 1)).astype(np.int32)
    recoding = open_recoding(parts_of(codes), labels, space.trees, most + 2, 0)
    out = leave_out(recoding, space.trees, k, price, most)
    n_out = int(out.sum())
    assert n_out <= most
    before, after = paid(space, codes, labels), paid(space, codes, recoding.labels)
    assert n_out == 0 or after + n_out * price < before
    stay = recoding.labels[out == 0]
    assert not n_out or np.unique(stay, return_counts=True)[1].min() >= k
