from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.synthesis.best_cut import FEW, N_LEVELS, Target, best_cut, desk, explained

seeds = st.integers(0, 2**32 - 1)


def worth(target: Target, rows: np.ndarray) -> float:
    """What records explain: squared sum, or squared counts, over their number."""
    if target.n_classes == 0:
        return float(target.numbers[rows].sum() ** 2 / len(rows))
    counts = np.bincount(target.classes[rows], minlength=target.n_classes)
    return float((counts.astype(float) ** 2).sum() / len(rows))


def naive(
    levels: np.ndarray, target: Target, rows: np.ndarray, least_leaf: int
) -> tuple[float, list[int]]:
    """The best that a cut explains, and the levels that do."""
    found = {}
    for level in np.unique(levels[rows])[:-1].tolist():
        left, right = rows[levels[rows] <= level], rows[levels[rows] > level]
        if min(len(left), len(right)) >= least_leaf:
            found[level] = worth(target, left) + worth(target, right)
    if not found:
        return -np.inf, []
    best = max(found.values())
    return best, [level for level, one in found.items() if one >= best - 1e-9 * abs(best)]


def drawn(seed: int, n: int, n_classes: int) -> tuple[np.ndarray, Target, np.ndarray]:
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, rng.choice([1, 3, N_LEVELS]), 2 * n).astype(np.uint8)
    classes = rng.integers(0, max(n_classes, 1), 2 * n).astype(np.int32)
    numbers = rng.integers(-5, 6, 2 * n).astype(np.float64)
    rows = rng.permutation(2 * n)[:n].astype(np.int32)
    return levels, Target(classes, numbers, n_classes), rows


@pytest.mark.parametrize("n_classes", [0, 1, 2, 5])
@pytest.mark.parametrize("size", [2, FEW, FEW + 1, 700])
@given(seed=seeds, least_leaf=st.sampled_from([1, 2, 5]))
@settings(max_examples=15, deadline=None)
def test_the_cut_is_the_best_of_all(n_classes: int, size: int, seed: int, least_leaf: int) -> None:
    levels, target, rows = drawn(seed, size, n_classes)
    room = desk(len(rows), n_classes)
    found, level = best_cut(levels, target, rows, least_leaf, room)
    best, places = naive(levels, target, rows, least_leaf)
    if not places:
        assert level == -1
    else:
        assert level in places
        assert found == pytest.approx(best)
    assert not room.tally.any()


@given(seed=seeds, n_classes=st.sampled_from([0, 3]))
@settings(max_examples=40, deadline=None)
def test_a_node_explains_its_squared_sum_or_counts(seed: int, n_classes: int) -> None:
    _, target, rows = drawn(seed, 9, n_classes)
    room = desk(9, n_classes)
    assert explained(target, rows, room.tally) == pytest.approx(worth(target, rows))
    assert not room.tally.any()
