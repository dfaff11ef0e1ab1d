from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.groups import (
    Groups,
    hash_of,
    lifted_words,
    members_by_group,
    merged_entries,
    number_groups,
    rolled_up,
)
from tests.kernels.latticed import N_VALUES, World, labels_of

rows = st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2))
worlds = st.lists(st.tuples(rows, st.integers(0, N_VALUES - 1)), min_size=1, max_size=25).map(
    lambda found: World([row for row, _ in found], [secret for _, secret in found])
)
nodes = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1))


def entries(groups: Groups, group: int) -> dict[int, int]:
    """Amounts of the sensitive values of a group."""
    part = slice(groups.starts[group], groups.starts[group + 1])
    values, amounts = groups.values[part].tolist(), groups.amounts[part].tolist()
    assert len(set(values)) == len(values)
    return dict(zip(values, amounts, strict=True))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**64 - 1)), max_size=40))
@settings(deadline=None)
def test_rows_with_equal_words_are_one_group_numbered_as_met(rows: list[tuple[int, int]]) -> None:
    words = np.array(rows, dtype=np.uint64).reshape(len(rows), 2)
    numbers, first = number_groups(words)
    met: dict[tuple[int, int], int] = {}
    for number, row in enumerate(rows):
        assert numbers[number] == met.setdefault(row, len(met))
    assert [rows[one] for one in first] == list(met)


def test_rows_whose_hashes_meet_are_told_apart() -> None:
    # 5,000 rows in a table of 16,384 slots: many share the slot where they begin to look.
    words = np.arange(10_000, dtype=np.uint64).reshape(5000, 2)
    places = {int(hash_of(words, row)) & 16_383 for row in range(5000)}
    assert len(places) < 5000
    assert number_groups(words)[0].tolist() == list(range(5000))


@given(worlds, nodes, nodes)
@settings(max_examples=60, deadline=None)
def test_rolling_up_in_two_steps_is_grouping_anew(
    world: World, one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    low, high = np.minimum(one, other), np.maximum(one, other)
    zero = np.zeros(3, np.int64)
    first, _ = rolled_up(world.groups, world.layout, zero, low, N_VALUES)
    second, numbers = rolled_up(first, world.layout, low, high, N_VALUES)
    classes = world.classes(tuple(high.tolist()))
    assert sorted(second.counts.tolist()) == sorted(map(len, classes.values()))
    assert len(numbers) == len(first.counts)
    by_words = {labels: group for group, labels in enumerate(labels_of(second))}
    assert set(by_words) == set(classes)
    for labels, members in classes.items():
        group = by_words[labels]
        assert second.counts[group] == len(members)
        secrets = [world.secrets[row] for row in members]
        assert entries(second, group) == {one: secrets.count(one) for one in set(secrets)}


@given(worlds, nodes)
@settings(max_examples=40, deadline=None)
def test_words_hold_the_labels_of_the_level(world: World, node: tuple[int, ...]) -> None:
    high = np.array(node)
    words = lifted_words(world.groups.words, world.layout, np.zeros(3, np.int64), high)
    for labels, members in world.classes(node).items():
        for row in members:
            word = words[row].tolist()
            assert (word[0] & 0xFFFFF, word[0] >> 20, word[1]) == labels


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
@settings(deadline=None)
def test_members_stand_group_by_group_in_their_order(labels: list[int]) -> None:
    numbers = np.array(labels, np.int32)
    starts, members = members_by_group(numbers, 6)
    for group in range(6):
        inside = members[starts[group] : starts[group + 1]].tolist()
        assert inside == [row for row, one in enumerate(labels) if one == group]


def test_equal_values_of_merged_groups_add_up() -> None:
    groups = Groups(
        np.zeros((3, 1), np.uint64),
        np.array([3, 2, 1]),
        np.array([0, 2, 3, 4]),
        np.array([5, 1, 5, 2], np.int32),
        np.array([1, 2, 2, 1]),
    )
    starts, values, amounts = merged_entries(groups, np.array([0, 0, 1], np.int32), 2, 6)
    assert starts.tolist() == [0, 2, 3]
    assert values.tolist() == [5, 1, 2]
    assert amounts.tolist() == [3, 2, 1]
