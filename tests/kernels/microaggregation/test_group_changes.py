import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation.group_changes import (
    create_group,
    dissolve_group,
    undo_moves,
)
from microveil.kernels.microaggregation.grouping import open_grouping
from microveil.kernels.microaggregation.mdav import mdav


def naive_sse(points: Floats, labels: Ints) -> float:
    parts = [points[labels == group] for group in np.unique(labels)]
    return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))


def everybody(points: Floats) -> Ints:
    """All other records, nearest first."""
    apart = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(apart, -1)
    return np.argsort(apart, axis=1, kind="stable")[:, 1:].astype(np.int32)


seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.integers(2, 4))
@settings(deadline=None, max_examples=60)
def test_dissolving_a_group_costs_what_a_fresh_count_finds(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(2 * k, 40)), 2))
    labels = mdav(points, k)
    grouping, journal = open_grouping(points, labels, k), np.zeros((2 * k, 2), np.int64)
    group = int(rng.integers(labels.max() + 1))
    price, used = dissolve_group(grouping, everybody(points), group, k, journal)
    if used == 0:  # no room elsewhere
        assert price == np.inf
        assert grouping.labels.tolist() == labels.tolist()
        return
    assert (grouping.labels != group).all()
    assert np.bincount(grouping.labels).max() <= 2 * k - 1
    expected = naive_sse(points, grouping.labels) - naive_sse(points, labels)
    assert price == pytest.approx(expected, abs=1e-9)
    undo_moves(grouping, journal, used)
    assert grouping.labels.tolist() == labels.tolist()


def test_each_member_joins_the_cheapest_group_with_room() -> None:
    points = np.array([[0.0], [0.1], [5.0], [5.2], [9.0], [9.1]])
    labels = np.array([0, 0, 1, 1, 2, 2], dtype=np.int32)
    grouping, journal = open_grouping(points, labels, 2), np.zeros((4, 2), np.int64)
    price, used = dissolve_group(grouping, everybody(points), 1, 2, journal)
    assert used == 2
    assert grouping.labels[3] == 2  # the last member goes first, to the nearer group
    assert price == pytest.approx(naive_sse(points, grouping.labels) - naive_sse(points, labels))


@given(seeds, st.integers(2, 4))
@settings(deadline=None, max_examples=60)
def test_a_new_group_costs_what_a_fresh_count_finds(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    n_groups = int(rng.integers(2, 6))
    sizes = rng.integers(k, 2 * k, n_groups)
    labels = rng.permutation(np.repeat(np.arange(n_groups), sizes)).astype(np.int32)
    points = rng.normal(size=(len(labels), 2))
    grouping, journal = open_grouping(points, labels, k), np.zeros((2 * k, 2), np.int64)
    origin = int(rng.integers(len(labels)))
    price, used = create_group(grouping, everybody(points), origin, k, journal)
    if used == 0:  # too few can be spared
        spare = int((sizes - k).sum())
        assert spare < k or sizes[labels[origin]] == k
        assert grouping.labels.tolist() == labels.tolist()
        return
    assert used == k
    assert grouping.labels[origin] == n_groups
    found = np.bincount(grouping.labels)
    assert found[n_groups] == k
    assert found.min() >= k
    expected = naive_sse(points, grouping.labels) - naive_sse(points, labels)
    assert price == pytest.approx(expected, abs=1e-9)
