from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.groups import rolled_up
from microveil.kernels.lattice.population import Crowd, people_of_groups
from tests.kernels.latticed import LABELS, N_VALUES, World, labels_of

rows = st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2))
worlds = st.lists(st.tuples(rows, st.integers(0, N_VALUES - 1)), min_size=1, max_size=25).map(
    lambda found: World([row for row, _ in found], [secret for _, secret in found])
)
nodes = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1))


@given(worlds, nodes, st.lists(st.tuples(rows, st.integers(1, 9)), max_size=25), st.booleans())
@settings(max_examples=60, deadline=None)
def test_people_are_those_who_have_a_group_s_labels(
    world: World,
    node: tuple[int, ...],
    people: list[tuple[tuple[int, ...], int]],
    unknown: bool,  # noqa: FBT001
) -> None:
    start = np.zeros((3, 4), np.int64)
    label: list[int] = []
    for key, levels in enumerate(LABELS):
        for level, labels in enumerate(levels):
            start[key, level] = len(label)
            # A value that no record can have: its label is none of theirs.
            last = -1 if unknown and key == 0 and level < 3 else labels[-1]
            label += [*labels[:-1], last]
    crowd = Crowd(
        np.array([row for row, _ in people], np.int32).reshape(len(people), 3),
        np.array([n for _, n in people], np.int64),
        start,
        np.array(label, np.int32),
    )
    high = np.array(node)
    groups, _ = rolled_up(world.groups, world.layout, np.zeros(3, np.int64), high, N_VALUES)
    found = people_of_groups(groups, world.layout, crowd, high)
    expected = np.zeros(len(groups.counts) + 1, np.int64)
    place = {labels: group for group, labels in enumerate(labels_of(groups))}
    for row, n in people:
        known = not (unknown and row[0] == 5 and node[0] < 3)
        wanted = tuple(LABELS[key][node[key]][value] for key, value in enumerate(row))
        expected[place.get(wanted, -1) if known else -1] += n
    assert found.tolist() == expected.tolist()


def test_a_label_too_large_for_its_field_is_no_record_s() -> None:
    world = World([(0, 0, 0)], [0])
    layout = world.layout._replace(mask=np.full(3, 1, np.uint64))
    crowd = Crowd(
        np.array([[0, 0, 0], [1, 0, 0]], np.int32),
        np.array([1, 1]),
        np.zeros((3, 1), np.int64),
        np.array([0, 2], np.int32),
    )
    found = people_of_groups(world.groups, layout, crowd, np.zeros(3, np.int64))
    assert found.tolist() == [1, 1]
