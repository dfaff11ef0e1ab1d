from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.groups import Groups
from microveil.kernels.lattice.judge import (
    asks_for_sizes,
    broken_groups,
    node_shares_of,
    shares_of,
    suppressed_records,
)
from microveil.kernels.lattice.rules import AVERAGE, DISTINCT, EQUAL, FEW_ABOVE, TREE, no_rules
from tests.kernels.latticed import N_VALUES, World, one_rule

members = st.lists(
    st.lists(st.integers(0, N_VALUES - 1), min_size=1, max_size=6), min_size=1, max_size=9
)


def grouped(classes: list[list[int]]) -> tuple[Groups, World]:
    """Groups with these sensitive values."""
    starts, values, amounts = [0], [], []
    for one in classes:
        for value in sorted(set(one)):
            values.append(value)
            amounts.append(one.count(value))
        starts.append(len(values))
    counts = np.array([len(one) for one in classes])
    everybody = [value for one in classes for value in one]
    groups = Groups(
        np.arange(len(classes), dtype=np.uint64)[:, None],
        counts,
        np.array(starts),
        np.array(values, np.int32),
        np.array(amounts),
    )
    return groups, World([(0, 0, 0)] * len(everybody), everybody)


def none_yet(groups: Groups) -> np.ndarray:
    return np.zeros(len(groups.counts), np.int32)


@given(members, st.integers(1, 4), st.data())
@settings(max_examples=60, deadline=None)
def test_groups_that_are_too_small_or_already_gone_go(
    classes: list[list[int]], k: int, data: st.DataObject
) -> None:
    groups, _ = grouped(classes)
    n = len(classes)
    already = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.int32)
    out = broken_groups(groups, no_rules()._replace(least=k, most=99), already, np.zeros(n))
    assert out.tolist() == [
        int(gone or len(one) < k) for gone, one in zip(already, classes, strict=True)
    ]
    assert suppressed_records(groups, out) == sum(
        len(one) for one, gone in zip(classes, out, strict=True) if gone
    )


@given(members, st.sampled_from([0.2, 0.4, 0.7]), st.data())
@settings(max_examples=60, deadline=None)
def test_the_average_is_met_by_the_smallest_first_and_as_few_as_needed(
    classes: list[list[int]], limit: float, data: st.DataObject
) -> None:
    groups, world = grouped(classes)
    n = len(classes)
    coarse = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5]), min_size=n, max_size=n)))
    out = broken_groups(groups, one_rule(world, AVERAGE, limit), none_yet(groups), coarse)
    order = sorted(range(n), key=lambda one: (len(classes[one]), coarse[one], one))
    expected = [0] * n
    for one in order:
        left = [len(classes[g]) for g in range(n) if not expected[g]]
        if len(left) <= (limit + 1e-12) * sum(left):
            break
        expected[one] = 1
    assert out.tolist() == expected


@given(members, st.sampled_from([0.3, 0.6]), st.sampled_from([0.0, 0.2, 0.5]))
@settings(max_examples=60, deadline=None)
def test_few_enough_records_are_left_above_a_risk(
    classes: list[list[int]], risk: float, share: float
) -> None:
    groups, world = grouped(classes)
    n = len(classes)
    rules = one_rule(world, FEW_ABOVE, risk, second=np.array([share]))
    out = broken_groups(groups, rules, none_yet(groups), np.zeros(n))
    expected = [0] * n
    for one in sorted(range(n), key=lambda g: (len(classes[g]), g)):
        left = [len(classes[g]) for g in range(n) if not expected[g]]
        above = sum(size for size in left if 1 / size > risk + 1e-12)
        if above <= (share + 1e-12) * sum(left):
            break
        expected[one] = 1
    assert out.tolist() == expected


@given(members)
@settings(max_examples=60, deadline=None)
def test_groups_are_compared_with_what_stays_until_nothing_changes(
    classes: list[list[int]],
) -> None:
    groups, world = grouped(classes)
    for released in (False, True):
        rules = one_rule(world, EQUAL, 0.4, released=released)
        out = broken_groups(groups, rules, none_yet(groups), np.zeros(len(classes)))
        gone: set[int] = set()
        while True:
            compared = [c for g, c in enumerate(classes) if not released or g not in gone]
            everybody = [value for one in compared for value in one]
            before = set(gone)
            for g, one in enumerate(classes):
                far = sum(
                    max(one.count(v) / len(one) - everybody.count(v) / max(len(everybody), 1), 0.0)
                    for v in range(N_VALUES)
                )
                if g not in gone and far > 0.4 + 1e-12:
                    gone.add(g)
            if not released or gone == before:
                break
        assert set(np.flatnonzero(out).tolist()) == gone


def test_nothing_more_is_asked_once_too_many_are_gone() -> None:
    groups, world = grouped([[0], [1], [2], [3]])
    rules = one_rule(world, DISTINCT, 2.0, most=1)
    out = broken_groups(groups, rules, none_yet(groups), np.zeros(4))
    assert out.sum() == 2  # the second was one too many


def test_shares_of_the_table_and_of_a_tree_s_nodes() -> None:
    world = World([(0, 0, 0)] * 4, [0, 0, 1, 3])
    shares, n_there = shares_of(world.totals.astype(float), 0, N_VALUES)
    assert shares.tolist() == [0.5, 0.25, 0.0, 0.25]
    assert n_there == 3
    rules = one_rule(
        world,
        TREE,
        0.1,
        height=np.array([2]),
        n_nodes=6,
        numbers=np.array([4, 0, 4, 1, 5, 2, 5, 3], np.int32),
    )
    assert node_shares_of(rules, 0, shares).tolist() == [0.5, 0.25, 0.0, 0.25, 0.75, 0.25]


@pytest.mark.parametrize(("kind", "asked"), [(DISTINCT, False), (AVERAGE, True), (FEW_ABOVE, True)])
def test_only_rules_about_the_whole_table_ask_for_sizes(kind: int, asked: bool) -> None:  # noqa: FBT001
    world = World([(0, 0, 0)], [0])
    assert asks_for_sizes(one_rule(world, kind, 0.5)) == asked
    assert not asks_for_sizes(no_rules())
