from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.statistics.concentrate import concentrate, has_extent


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(12, 60))
@settings(max_examples=30, deadline=None)
def test_each_step_takes_the_half_nearest_to_the_core(seed: int, p: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((n, p))
    start = rng.choice(n, p + 3, replace=False)
    found = concentrate(points, start, 1, 1e-13)
    core, half = points[start], (n + p + 1) // 2
    centred = points - core.mean(axis=0)
    covariance = np.atleast_2d(np.cov(core.T))
    apart = np.einsum("ij,jk,ik->i", centred, np.linalg.inv(covariance), centred)
    assert sorted(found[1].tolist()) == sorted(np.argsort(apart)[:half].tolist())
    volume = np.linalg.slogdet(np.atleast_2d(np.cov(points[found[1]].T)))[1]
    assert found[0] == pytest.approx(volume, abs=1e-9)


def test_steps_never_widen_the_core_and_end() -> None:
    points = np.random.default_rng(0).standard_normal((200, 3))
    start = np.arange(6)
    volumes = []
    for steps in range(1, 30):
        found = concentrate(points, start, steps, 1e-13)
        volumes.append(found[0])
    assert volumes == sorted(volumes, reverse=True)
    assert volumes[-1] == volumes[-2]


def test_a_core_in_a_plane_goes_no_further() -> None:
    flat = np.random.default_rng(0).standard_normal((50, 1)) @ np.ones((1, 2))
    for points, core in ((flat, np.arange(5)), (np.ones((9, 1)), np.arange(4))):
        assert not has_extent(points, core, 1e-13)
        volume, found = concentrate(points, core, 3, 1e-13)
        assert volume == -np.inf
        assert found.tolist() == core.tolist()


def test_a_half_in_a_plane_is_found_from_outside_it() -> None:
    rng = np.random.default_rng(0)
    points = rng.standard_normal((100, 2))
    points[:60, 1] = 0.0
    start = np.arange(30, 90)
    assert has_extent(points, start, 1e-13)
    volume, found = concentrate(points, start, 100, 1e-13)
    assert volume == -np.inf
    assert (points[found, 1] == 0).all()
    assert len(found) == (100 + 2 + 1) // 2


def test_ties_at_the_edge_of_the_half_are_cut() -> None:
    points = np.array([[0.0]] * 3 + [[1.0]] * 5 + [[-1.0]] * 4)
    found = concentrate(points, np.array([0, 3, 8]), 1, 1e-13)
    assert len(found[1]) == (12 + 1 + 1) // 2
