from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.groups import Groups
from microveil.kernels.lattice.rules import DISTINCT, no_rules
from microveil.kernels.recoding.sweep import (
    records_in_groups,
    sweep_levels,
    sweep_levels_where,
)
from microveil.search.local_recoding.orders import levels_by_cost
from microveil.search.local_recoding.space import RecodingSpace
from tests.kernels.recoded import rows, space_of


def labels_at(space: RecodingSpace, levels: np.ndarray, row: int) -> tuple[int, ...]:
    """First codes of the labels of a row."""
    return tuple(
        int(tree.first[level, space.codes[row, j]])
        for j, (tree, level) in enumerate(zip(space.keys, levels, strict=True))
    )


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
@given(rows, st.integers(1, 5))
def test_records_in_groups_are_those_of_grouping_at_each_level(
    records: list[tuple[int, ...]], k: int
) -> None:
    space = space_of(records)
    levels = levels_by_cost(space, 1.0)
    found = records_in_groups(space.codes, space.weights, k, space.trees, levels)
    for one, n in zip(levels, found, strict=True):
        groups: dict[tuple[int, ...], int] = {}
        for row in range(len(space.codes)):
            key = labels_at(space, one, row)
            groups[key] = groups.get(key, 0) + int(space.weights[row])
        assert n == sum(size for size in groups.values() if size >= k)


@settings(max_examples=30, deadline=None)
@given(rows, st.integers(1, 3), st.data())
def test_classes_that_must_be_diverse_wait_until_they_are(
    records: list[tuple[int, ...]], k: int, data: st.DataObject
) -> None:
    space = space_of(records)
    n = len(space.codes)
    values = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int32)
    groups = Groups(
        np.zeros((n, 1), np.uint64),
        space.weights.astype(np.int64),
        np.arange(n + 1),
        values,
        space.weights.astype(np.int64),
    )
    one = np.zeros(1, np.int64)
    totals = np.bincount(values, weights=space.weights, minlength=3).astype(np.int64)
    rules = no_rules()._replace(
        least=k,
        most=int(space.weights.sum()),
        kind=np.array([DISTINCT]),
        first=one,
        last=one + 3,
        limit=np.array([2.0]),
        second=np.zeros(1),
        helper=one,
        height=one,
        totals=totals,
    )
    levels = levels_by_cost(space, 1.0)
    labels = sweep_levels_where(space.codes, groups, space.trees, levels, rules)
    left, expected = set(range(n)), []
    for tried in levels:
        classes: dict[tuple[int, ...], list[int]] = {}
        for row in sorted(left):
            classes.setdefault(labels_at(space, tried, row), []).append(row)
        for members in classes.values():
            diverse = len(set(values[members].tolist())) >= 2
            if space.weights[members].sum() >= k and diverse:
                expected.append(sorted(members))
                left -= set(members)
    found = [np.flatnonzero(labels == one).tolist() for one in range(labels.max(initial=-1) + 1)]
    assert sorted(found) == sorted(expected)
