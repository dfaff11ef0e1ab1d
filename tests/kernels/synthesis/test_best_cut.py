from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from microveil.kernels.synthesis.best_cut import Target, best_cut, desk, explained_by_node

Bytes = NDArray[np.uint8]


def naive(levels: Bytes, target: Target, least_leaf: int) -> tuple[float, int]:
    """The best of all cuts, tried one after the other."""
    best, cut = -np.inf, -1
    for level in np.unique(levels)[:-1]:
        left = levels <= level
        if min(left.sum(), (~left).sum()) < least_leaf:
            continue
        found = sum(naive_explained(target, side) for side in (left, ~left))
        if found > best + 1e-9:
            best, cut = found, int(level)
    return best, cut


def naive_explained(target: Target, rows: NDArray[np.bool_]) -> float:
    if target.n_classes:
        return float((np.bincount(target.classes[rows]) ** 2).sum() / rows.sum())
    return float(target.numbers[rows].sum() ** 2 / rows.sum())


@pytest.mark.parametrize("n", [2, 10, 40, 41, 300, 3000])
@pytest.mark.parametrize("n_classes", [0, 2, 7, 300])
@pytest.mark.parametrize("least_leaf", [1, 5])
def test_the_cut_is_the_best_of_all(n: int, n_classes: int, least_leaf: int) -> None:
    rng = np.random.default_rng(n + n_classes)
    levels = rng.integers(0, 12, n).astype(np.uint8)
    classes = rng.integers(0, max(n_classes, 1), n).astype(np.int32)
    numbers = rng.integers(0, 9, n).astype(np.float64)
    target = Target(classes, numbers, n_classes)
    room = desk(n, n_classes)
    rows = rng.permutation(n).astype(np.int32)
    for _ in range(2):  # a second time, with the desk as the first left it
        found, cut = best_cut(levels, target, rows, least_leaf, room)
        expected, level = naive(levels, target, least_leaf)
        assert cut == level
        if cut >= 0:
            assert found == pytest.approx(expected)


def test_a_node_explains_what_its_counts_and_sums_say() -> None:
    rows = np.arange(4, dtype=np.int32)
    classes = np.array([0, 1, 1, 1], dtype=np.int32)
    numbers = np.array([1.0, 2.0, 3.0, 4.0])
    tally = np.zeros((2, 2), dtype=np.int32)
    assert explained_by_node(Target(classes, numbers, 2), rows, tally) == pytest.approx((1 + 9) / 4)
    assert not tally.any()
    assert explained_by_node(Target(classes, numbers, 0), rows, tally) == pytest.approx(100 / 4)


def test_one_level_cannot_be_cut() -> None:
    levels = np.full(50, 3, dtype=np.uint8)
    rows = np.arange(50, dtype=np.int32)
    numbers = Target(np.empty(0, dtype=np.int32), np.arange(50.0), 0)
    classes = Target(np.arange(50, dtype=np.int32), np.empty(0), 50)
    assert best_cut(levels, numbers, rows, 1, desk(50, 0))[1] == -1
    assert best_cut(levels, classes, rows, 1, desk(50, 50))[1] == -1
