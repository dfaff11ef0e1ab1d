from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.statistics.lloyd import lloyd


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-20, 20), min_size=3, max_size=25))
def test_lloyd_s_steps_are_those_of_the_definition(values: list[int]) -> None:
    points = np.array(values, dtype=float)[:, None]
    start = np.array([[-5.0], [5.0]])
    spread, clusters, centres = lloyd(points, start, 50)
    expected = start.copy()
    for _ in range(50):
        near = np.abs(points - expected.T).argmin(axis=1)
        new = np.array(
            [points[near == c].mean(axis=0) if (near == c).any() else expected[c] for c in (0, 1)]
        )
        if np.allclose(new, expected):
            break
        expected = new
    assert centres == pytest.approx(expected)
    assert clusters.tolist() == near.tolist()
    assert spread == pytest.approx(((points - centres[clusters]) ** 2).sum())


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 5), st.integers(0, 6))
@settings(max_examples=40, deadline=None)
def test_steps_in_several_columns_stop_when_told(seed: int, d: int, k: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 5, (20, d)).astype(float)
    start = rng.integers(0, 5, (k, d)).astype(float)
    kept = start.copy()
    spread, clusters, centres = lloyd(points, start, steps)
    expected, near = start.copy(), np.full(20, -1)
    for step in range(steps + 1):
        apart = ((points[:, None] - expected[None]) ** 2).sum(axis=2)
        before, near = near, apart.argmin(axis=1)
        if (near == before).all() or step == steps:
            break
        for one in range(k):
            if (near == one).any():
                expected[one] = points[near == one].mean(axis=0)
    assert clusters.tolist() == near.tolist()
    assert centres == pytest.approx(expected)
    assert spread == pytest.approx(apart.min(axis=1).sum())
    assert (start == kept).all()
