import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats
from microveil.kernels.microaggregation.group_means import (
    group_means,
    group_sizes,
    group_sse,
    total_sse,
)
from tests.kernels.casc import tables


@given(tables(), st.integers(1, 5), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_means_and_squares_are_those_of_numpy(points: Floats, groups: int, seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(0, groups, len(points))
    labels = np.unique(drawn, return_inverse=True)[1].astype(np.int32)
    parts = [points[labels == group] for group in range(labels.max() + 1)]
    scale = np.abs(points).max()
    assert group_sizes(labels).tolist() == [len(part) for part in parts]
    expected = [part.mean(axis=0) for part in parts]
    assert np.allclose(group_means(points, labels), expected, rtol=1e-12, atol=1e-12 * scale)
    spread = [((part - part.mean(axis=0)) ** 2).sum() for part in parts]
    assert np.allclose(group_sse(points, labels), spread, rtol=1e-9, atol=1e-9)


def test_a_large_offset_costs_no_digits() -> None:
    points = np.array([[1e12], [1e12 + 1], [1e12 + 2]])
    assert total_sse(points) == 2.0


def test_records_without_a_group_are_refused() -> None:
    with pytest.raises(ValueError, match="needs a group"):
        group_means(np.zeros((2, 1)), np.array([0, -1], dtype=np.int32))
    with pytest.raises(ValueError, match="belong together"):
        group_sse(np.zeros((2, 1)), np.zeros(3, dtype=np.int32))
