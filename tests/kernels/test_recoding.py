from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.rules import no_rules
from microveil.kernels.recoding.anneal import Aim, anneal_recoding
from microveil.kernels.recoding.classes import (
    Parts,
    cost_instead,
    cost_with,
    cost_without,
    move_row,
    open_recoding,
    total_cost,
)
from microveil.kernels.recoding.merge import merge_nearest, open_merging, paid_by_classes
from microveil.kernels.recoding.sweep import sweep_levels
from microveil.kernels.recoding.trees import common_cost, common_level
from microveil.search.lattice.space import Space
from microveil.search.local_recoding import space as recoding_space
from microveil.search.local_recoding.orders import levels_by_cost, orders_by_likeness
from microveil.search.local_recoding.space import RecodingSpace
from microveil.tables import Table

TREES = {
    "a": {"tree": {"x": {"p": ["0", "1"], "q": ["2"]}, "y": {"r": ["3", "4", "5"]}}},
    "b": {"tree": {"u": ["0", "1"], "v": ["2", "3"]}},
    "c": {"tree": ["0", "1", "2"]},
}


def space_of(
    rows: Sequence[tuple[int, ...]], loss: recoding_space.CellLoss = "loss"
) -> RecodingSpace:
    from microveil.methods.local_recoding.step import LocalRecoding

    names = list(TREES)[: len(rows[0])]
    frame = pl.DataFrame([[str(v) for v in row] for row in rows], schema=names, orient="row")
    trees = LocalRecoding(k=2, hierarchies={name: TREES[name] for name in names}).hierarchies
    return RecodingSpace.of(Space.of(Table(frame), names, trees), loss)


def parts_of(codes: np.ndarray) -> Parts:
    """Each row a record of its own, about which nothing else is known."""
    return Parts(codes, np.ones(len(codes), dtype=np.int64), np.empty((len(codes), 0), np.int32))


def everything() -> RecodingSpace:
    return space_of(list(product(range(6), range(4), range(3))))


rows = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=40
)


def naive_paid(space: RecodingSpace, labels: np.ndarray) -> float:
    """Costs of the lowest common label of each class, climbed to level by level."""
    total = 0.0
    for one in np.unique(labels):
        members = np.flatnonzero(labels == one)
        for j, key in enumerate(space.keys):
            level = 0
            while len({int(key.first[level, space.codes[row, j]]) for row in members}) > 1:
                level += 1
            cost = key.cost[level, space.codes[members[0], j]] * space.factors[j]
            total += cost * space.weights[members].sum()
    return total


@pytest.mark.parametrize("table_cells", [0, 2**22])
def test_a_common_label_costs_the_same_by_table_and_by_climbing(
    table_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recoding_space, "TABLE_CELLS", table_cells)
    space = everything()
    assert ((space.trees.pair >= 0) == (table_cells > 0)).all()
    for j, key in enumerate(space.keys):
        n = key.first.shape[1]
        for low, high in product(range(n), range(n)):
            level = next(
                at for at in range(len(key.first)) if key.first[at, low] == key.first[at, high]
            )
            assert common_level(space.trees, j, low, high) == level
            expected = key.cost[level, low] * space.factors[j]
            assert common_cost(space.trees, j, low, high) == pytest.approx(expected)


def test_a_record_that_is_all_star_pays_one() -> None:
    space = everything()
    labels = np.zeros(len(space.codes), dtype=np.int32)
    paid = paid_by_classes(space.codes, space.weights, labels, space.trees)
    assert paid / space.n_records == pytest.approx(1.0)


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
@given(rows, st.integers(1, 5))
def test_a_sweep_takes_each_group_of_k_at_the_first_levels_that_have_it(
    records: list[tuple[int, ...]], k: int
) -> None:
    space = space_of(records)
    levels = levels_by_cost(space, 1.0)
    labels = sweep_levels(space.codes, space.weights, k, space.trees, levels)
    left = set(range(len(space.codes)))
    expected = []
    for one in levels:
        groups: dict[tuple[int, ...], list[int]] = {}
        for row in sorted(left):
            key = tuple(
                int(tree.first[level, space.codes[row, j]])
                for j, (tree, level) in enumerate(zip(space.keys, one, strict=True))
            )
            groups.setdefault(key, []).append(row)
        for members in groups.values():
            if space.weights[members].sum() >= k:
                expected.append(frozenset(members))
                left -= set(members)
    found = [frozenset(np.flatnonzero(labels == one).tolist()) for one in range(labels.max() + 1)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
    assert set(np.flatnonzero(labels < 0).tolist()) == left


def test_rounds_pass_over_levels_that_help_too_few() -> None:
    records = [(0, 0, 0)] * 2 + [(2, 0, 0), (2, 0, 1)] + [(3, j, 0) for j in (0, 1, 2, 3)] * 4
    space = space_of(records)
    levels = levels_by_cost(space, 1.0)
    few = sweep_levels(space.codes, space.weights, 2, space.trees, levels)
    # At level 0 the first pair and sixteen records have peers; two have not.
    assert (few >= 0).all()
    most = sweep_levels(space.codes, space.weights, 2, space.trees, levels, share=0.95)
    assert most.max() < few.max()


@settings(max_examples=30, deadline=None)
@given(rows, st.integers(2, 4), st.integers(0, 2**32))
def test_annealing_keeps_k_and_never_loses(
    records: list[tuple[int, ...]], k: int, seed: int
) -> None:
    space = space_of(records)
    if space.n_records < k:
        return
    codes = np.ascontiguousarray(space.codes[space.row_of_record])
    ones, parts, nothing = np.ones(len(codes), dtype=np.int64), parts_of(codes), no_rules()
    start = (np.arange(len(codes)) % max(len(codes) // k, 1)).astype(np.int32)
    nearby = orders_by_likeness(codes, space, 4, np.random.default_rng(1))
    word = np.array([seed], dtype=np.uint64)
    aim = Aim(k, 3000, 0, 1.0)
    labels, out = anneal_recoding(parts, start, space.trees, nearby, word, aim, nothing)
    again, _ = anneal_recoding(parts, start, space.trees, nearby, word, aim, nothing)
    assert (labels == again).all()
    assert not out.any()
    assert np.bincount(labels).min() >= k
    before = paid_by_classes(codes, ones, start, space.trees)
    assert paid_by_classes(codes, ones, labels, space.trees) <= before + 1e-9


def test_what_is_left_out_pays_more_than_it_costs() -> None:
    # One stranger makes every label of eight equal records coarse.
    space = space_of([(0, 0, 0)] * 8 + [(5, 3, 2)])
    codes = np.ascontiguousarray(space.codes[space.row_of_record])
    parts, zeros = parts_of(codes), np.zeros(9, dtype=np.int32)
    nearby = orders_by_likeness(codes, space, 2, np.random.default_rng(1))
    word = np.array([1], dtype=np.uint64)
    for most, expected in [(0, 0), (3, 1)]:
        aim = Aim(5, 0, most, 1.0)
        _, out = anneal_recoding(parts, zeros, space.trees, nearby, word, aim, no_rules())
        assert out.sum() == expected
        assert not out.any() or space.row_of_record[out == 1].tolist() == [1]


@settings(max_examples=30, deadline=None)
@given(rows)
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
