from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.kernels.synthesis.grow_tree import (
    DecisionTree,
    Growth,
    find_leaves,
    grow_classes,
    grow_numbers,
)

Rows = list[int]
Explain = Callable[[Rows], float]


def naive_leaves(levels: NDArray[np.uint8], explain: Explain, growth: Growth) -> list[Rows]:
    """Leaves of the tree that takes the first best split of every node."""

    def split(rows: Rows, depth: int) -> list[Rows]:
        best, sides = explain(rows) + max(growth.least_gain, 1e-9), None
        for f in range(len(levels)):
            for cut in sorted({int(levels[f, row]) for row in rows})[:-1]:
                left = [row for row in rows if levels[f, row] <= cut]
                right = [row for row in rows if levels[f, row] > cut]
                if min(len(left), len(right)) >= growth.least_leaf:
                    found = explain(left) + explain(right)
                    if found > best + 1e-9:
                        best, sides = found, (left, right)
        if sides is None or depth >= growth.most_depth:
            return [rows]
        return [leaf for side in sides for leaf in split(side, depth + 1)]

    return split(list(range(levels.shape[1])), 0)


def leaves_of(tree: DecisionTree) -> list[Rows]:
    return [
        tree.rows[tree.start[node] : tree.end[node]].tolist()
        for node in np.flatnonzero(tree.feature < 0)
    ]


@st.composite
def tables(draw: st.DrawFn) -> tuple[NDArray[np.uint8], NDArray[np.int32], Growth]:
    n = draw(st.integers(1, 60))
    n_features = draw(st.integers(0, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    levels = rng.integers(0, draw(st.integers(1, 5)), (n_features, n)).astype(np.uint8)
    target = rng.integers(0, draw(st.integers(1, 4)), n).astype(np.int32)
    growth = Growth(
        draw(st.integers(1, 6)), draw(st.sampled_from([0.0, 1.5])), draw(st.integers(0, 4))
    )
    return levels, target, growth


@given(tables())
def test_numbers_are_split_as_by_trying_every_cut(
    table: tuple[NDArray[np.uint8], NDArray[np.int32], Growth],
) -> None:
    levels, target, growth = table
    tree = grow_numbers(levels, target.astype(np.float64), growth)

    def explain(rows: Rows) -> float:
        return float(target[rows].sum()) ** 2 / len(rows)

    assert sorted(leaves_of(tree)) == sorted(naive_leaves(levels, explain, growth))


@given(tables())
def test_classes_are_split_as_by_trying_every_cut(
    table: tuple[NDArray[np.uint8], NDArray[np.int32], Growth],
) -> None:
    levels, target, growth = table
    tree = grow_classes(levels, target, 4, growth)

    def explain(rows: Rows) -> float:
        return float((np.bincount(target[rows]) ** 2).sum()) / len(rows)

    assert sorted(leaves_of(tree)) == sorted(naive_leaves(levels, explain, growth))


@pytest.mark.parametrize("n_classes", [2, 5, 400])
def test_large_nodes_are_split_like_small_ones(n_classes: int) -> None:
    # Nodes of many records count levels in a table, others sort: a class nobody has decides which.
    rng = np.random.default_rng(1)
    levels = rng.integers(0, 7, (3, 3000)).astype(np.uint8)
    target = ((levels[0] > 3) ^ (rng.random(3000) < 0.2)).astype(np.int32)
    tree = grow_classes(levels, target, n_classes, Growth(200))
    other = grow_classes(levels, target, 300, Growth(200))
    assert sorted(leaves_of(tree)) == sorted(leaves_of(other))
    numbers = grow_numbers(levels, target.astype(np.float64), Growth(200))
    assert sorted(leaves_of(tree)) == sorted(leaves_of(numbers))


def test_every_leaf_has_enough_records_and_every_record_its_leaf() -> None:
    rng = np.random.default_rng(2)
    levels = rng.integers(0, 256, (4, 2000)).astype(np.uint8)
    tree = grow_numbers(levels, rng.random(2000), Growth(7))
    leaves = leaves_of(tree)
    assert min(map(len, leaves)) >= 7
    assert sorted(row for leaf in leaves for row in leaf) == list(range(2000))
    found = find_leaves(tree, levels)
    for node in np.flatnonzero(tree.feature < 0):
        assert sorted(np.flatnonzero(found == node)) == sorted(
            tree.rows[tree.start[node] : tree.end[node]]
        )


def test_constant_targets_and_predictors_are_not_split() -> None:
    levels = np.array([[1, 2, 3, 4], [5, 5, 5, 5]], dtype=np.uint8)
    assert len(grow_numbers(levels, np.full(4, 0.1), Growth(1)).feature) == 1
    assert len(grow_numbers(levels[1:], np.arange(4.0), Growth(1)).feature) == 1
    assert len(grow_classes(levels, np.zeros(4, dtype=np.int32), 1, Growth(1)).feature) == 1
