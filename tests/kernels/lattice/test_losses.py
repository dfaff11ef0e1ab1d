from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.groups import Groups, rolled_up
from microveil.kernels.lattice.losses import AREAS, MARGINS, SHARES, SIZES, coarseness, tally_node
from tests.kernels.latticed import LABELS, N_VALUES, World, labels_of, scales

rows = st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2))
worlds = st.lists(st.tuples(rows, st.integers(0, N_VALUES - 1)), min_size=1, max_size=25).map(
    lambda found: World([row for row, _ in found], [secret for _, secret in found])
)
nodes = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1))


def at_node(world: World, node: tuple[int, ...]) -> tuple[Groups, list[tuple[int, ...]]]:
    """The groups of a node, and the labels of each."""
    high = np.array(node)
    groups, _ = rolled_up(world.groups, world.layout, np.zeros(3, np.int64), high, N_VALUES)
    return groups, labels_of(groups)


def share_of(node: tuple[int, ...], labels: tuple[int, ...], key: int) -> float:
    level = LABELS[key][node[key]]
    return level.count(labels[key]) / len(level)


@given(worlds, nodes, st.data(), st.sampled_from([SIZES, SHARES, MARGINS, AREAS]))
@settings(max_examples=80, deadline=None)
def test_sums_are_those_of_the_classes_one_by_one(
    world: World, node: tuple[int, ...], data: st.DataObject, needs: int
) -> None:
    groups, labels = at_node(world, node)
    n = len(labels)
    out = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.int32)
    found = tally_node(groups, out, world.layout, scales(), np.array(node), needs, len(world.rows))
    sizes, gone = groups.counts.astype(float), out == 1
    assert found.n_suppressed == sizes[gone].sum()
    assert (found.n_kept_classes, found.n_classes) == (int((~gone).sum()), n)
    assert found.kept_squares == (sizes[~gone] ** 2).sum()
    assert found.all_squares == (sizes**2).sum()
    if needs == AREAS:
        areas = np.array(
            [
                np.prod([share_of(node, one, key) * (6, 4, 3)[key] for key in range(3)])
                for one in labels
            ]
        )
        assert found.all_area == pytest.approx((sizes * areas).sum())
        assert found.kept_area == pytest.approx((sizes * areas)[~gone].sum())
    for key in range(3):
        expected = 0.0
        if needs == SHARES:
            expected = sum(sizes[g] * share_of(node, labels[g], key) for g in np.flatnonzero(gone))
        if needs == MARGINS and gone.any():
            margin: dict[int, float] = {}
            for g in np.flatnonzero(gone):
                margin[labels[g][key]] = margin.get(labels[g][key], 0.0) + sizes[g]
            total = sizes[gone].sum()
            expected = -sum(z * np.log2(z / total) for z in margin.values())
        assert found.of_suppressed[key] == pytest.approx(expected, abs=1e-9)


def test_what_too_many_suppressed_records_cost_is_not_asked() -> None:
    world = World([(0, 0, 0), (1, 1, 1)], [0, 1])
    groups, _ = at_node(world, (0, 0, 0))
    out = np.ones(2, np.int32)
    found = tally_node(groups, out, world.layout, scales(), np.zeros(3, np.int64), SHARES, 1)
    assert found.n_suppressed == 2
    assert not found.of_suppressed.any()


@given(worlds, nodes)
@settings(max_examples=40, deadline=None)
def test_coarseness_is_the_geometric_mean_of_losses(world: World, node: tuple[int, ...]) -> None:
    groups, labels = at_node(world, node)
    found = coarseness(groups, world.layout, scales(), np.array(node))
    for group, one in enumerate(labels):
        factors = [1 + share_of(node, one, key) for key in range(3)]
        assert np.exp(found[group]) == pytest.approx(np.prod(factors) ** (1 / 3))
