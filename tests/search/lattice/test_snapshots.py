from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.kernels.lattice.groups import Groups
from microveil.search.lattice import snapshots as module
from microveil.search.lattice.snapshots import Snapshots


def groups_of(n: int) -> Groups:
    nothing = np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int64)
    return Groups(np.zeros((n, 1), np.uint64), np.ones(n, np.int64), *nothing)


nodes = st.tuples(st.integers(0, 3), st.integers(0, 3))


@given(st.lists(st.tuples(nodes, st.integers(1, 30)), max_size=12), nodes)
def test_the_fewest_classes_at_or_below_a_node_are_found(
    kept: list[tuple[tuple[int, int], int]], asked: tuple[int, int]
) -> None:
    snapshots = Snapshots((0, 0), groups_of(40))
    for node, n in kept:
        snapshots.keep(node, groups_of(n))
    below = [n for node, n in kept if node[0] <= asked[0] and node[1] <= asked[1]]
    levels, found = snapshots.finest(asked)
    assert len(found.counts) == min([40, *below])
    assert levels[0] <= asked[0]
    assert levels[1] <= asked[1]


def test_what_was_not_used_for_longest_gives_way_and_the_lowest_stays() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_SNAPSHOTS", 2)
        snapshots = Snapshots((0, 0), groups_of(40))
        snapshots.keep((1, 0), groups_of(10))
        snapshots.keep((0, 1), groups_of(20))
        assert len(snapshots.finest((1, 0))[1].counts) == 10  # used: (0, 1) goes next
        snapshots.keep((2, 2), groups_of(5))
        assert len(snapshots.finest((0, 1))[1].counts) == 40
        assert len(snapshots.finest((1, 1))[1].counts) == 10
        assert len(snapshots.finest((3, 3))[1].counts) == 5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CACHE_BYTES", 200)
        small = Snapshots((0, 0), groups_of(40))
        for level in range(1, 5):
            small.keep((level, 0), groups_of(9))
        assert small.finest((4, 0))[0] == (4, 0)
        assert small.finest((3, 0))[0] == (0, 0)
