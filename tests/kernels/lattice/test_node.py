from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.losses import SHARES
from microveil.kernels.lattice.node import examine, find_suppressed
from microveil.kernels.lattice.rules import AVERAGE, DISTINCT
from tests.kernels.latticed import N_VALUES, World, one_rule, scales

rows = st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2))
worlds = st.lists(st.tuples(rows, st.integers(0, N_VALUES - 1)), min_size=1, max_size=25).map(
    lambda found: World([row for row, _ in found], [secret for _, secret in found])
)
nodes = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1))


@given(worlds, nodes, st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_a_node_is_judged_and_summed_up_as_its_classes_are(
    world: World, node: tuple[int, ...], k: int, least_values: int
) -> None:
    rules = one_rule(world, DISTINCT, float(least_values), least=k)
    zero, high = np.zeros(3, np.int64), np.array(node)
    groups, out, tally = examine(world.groups, world.layout, scales(), rules, zero, high, SHARES)
    classes = list(world.classes(node).values())
    assert groups.counts.tolist() == [len(one) for one in classes]
    expected = [
        int(len(one) < k or len({world.secrets[row] for row in one}) < least_values)
        for one in classes
    ]
    assert out.tolist() == expected
    gone = sum(len(one) for one, bad in zip(classes, expected, strict=True) if bad)
    assert tally.n_suppressed == gone
    assert tally.n_kept_classes == expected.count(0)
    # The same node asked again, with what is suppressed already.
    again = find_suppressed(groups, world.layout, scales(), rules, high, out)
    assert again.tolist() == expected


def test_of_groups_of_one_size_the_finest_goes_first() -> None:
    # At this node the values 0 to 3 of the first key have one label, 4 and 5 another.
    node = np.array([2, 0, 0])
    for lonely, gone in (([0, 4], [0, 1, 0]), ([4, 0], [1, 0, 0])):
        rows = [(lonely[0], 0, 0), (lonely[1], 0, 0), *[(0, 1, 0)] * 4]
        world = World(rows, [0] * 6)
        rules = one_rule(world, AVERAGE, 0.45)
        groups, out, _ = examine(
            world.groups, world.layout, scales(), rules, np.zeros(3, np.int64), node, SHARES
        )
        assert groups.counts.tolist() == [1, 1, 4]
        assert out.tolist() == gone
