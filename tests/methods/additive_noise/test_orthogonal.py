from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.methods.additive_noise.orthogonal import _reflect, orthogonally_masked


@given(st.integers(2, 30), st.integers(0, 99))
def test_the_reflection_turns_ones_into_the_pivot_and_back(n: int, seed: int) -> None:
    pivot = seed % n
    points = np.ones((n, 1))
    _reflect(points, pivot)
    assert np.allclose(np.delete(points, pivot), 0)
    _reflect(points, pivot)
    assert np.allclose(points, 1)


@given(st.integers(3, 30), st.floats(0, 1.4), st.integers(0, 99))
def test_it_is_an_orthogonal_matrix_that_keeps_ones(n: int, share: float, seed: int) -> None:
    matrix = orthogonally_masked(np.eye(n), share, np.random.default_rng(seed))
    assert np.allclose(matrix.T @ matrix, np.eye(n))
    assert np.allclose(matrix.sum(axis=1), 1)


def test_no_change_asked_for_is_no_change() -> None:
    points = np.random.default_rng(0).normal(size=(9, 2))
    assert np.allclose(orthogonally_masked(points, 0, np.random.default_rng(1)), points)


@pytest.mark.parametrize("share", [0.1, 1.0])
def test_the_diagonal_is_as_near_to_one_as_asked(share: float) -> None:
    rng = np.random.default_rng(2)
    diagonal = np.mean([np.diag(orthogonally_masked(np.eye(60), share, rng)) for _ in range(30)])
    assert diagonal == pytest.approx(1 - share**2 / 2, abs=0.02)
