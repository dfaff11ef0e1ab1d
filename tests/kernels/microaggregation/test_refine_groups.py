import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation.group_means import group_sse
from microveil.kernels.microaggregation.mdav import mdav
from microveil.kernels.microaggregation.refine_groups import refine_groups
from tests.kernels.casc import sizes_hold, tables


def _sse(points: Floats, labels: Ints) -> float:
    return float(group_sse(points, labels).sum())


def _naive_sse(points: Floats, labels: Ints) -> float:
    parts = [points[labels == group] for group in np.unique(labels)]
    return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))


@given(st.integers(1, 5), st.data())
@settings(deadline=None, max_examples=60)
def test_the_loss_only_falls_and_sizes_hold(k: int, data: st.DataObject) -> None:
    points = data.draw(tables(least=k))
    labels = mdav(points, k)
    refined = refine_groups(points, labels, k)
    slack = 1e-9 * max(1.0, float(np.abs(points - points.mean(axis=0)).max())) ** 2
    assert sizes_hold(refined, k)
    assert _sse(points, refined) <= _sse(points, labels) + slack


@given(st.integers(2, 3), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=50)
def test_no_single_move_or_swap_improves_a_refined_grouping(k: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(14, 2))  # few enough that all are neighbours
    labels = refine_groups(points, mdav(points, k), k)
    least = _naive_sse(points, labels) * (1 - 1e-9)
    for record in range(14):
        for other in range(14):
            changed = labels.copy()
            changed[[record, other]] = labels[[other, record]]
            assert _naive_sse(points, changed) >= least
            changed = labels.copy()
            changed[record] = labels[other]
            if sizes_hold(changed, k):
                assert _naive_sse(points, changed) >= least


def test_groups_that_break_the_sizes_are_refused() -> None:
    points = np.zeros((4, 1))
    for labels in ([0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 2, 2]):
        with pytest.raises(ValueError, match="Every group must have 2 to 3 records"):
            refine_groups(points, np.array(labels, dtype=np.int32), 2)
