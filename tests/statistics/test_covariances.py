from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from microveil.statistics.covariances import (
    correlations,
    deviations,
    power,
    semidefinite,
    with_moments,
)

seeds = st.integers(0, 999)


@given(seeds)
def test_without_gaps_correlations_are_the_usual_ones(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(30, 3)) @ [[1, 2, 0], [0, 1, 3], [0, 0, 1]]
    assert np.allclose(correlations(deviations(points)), np.corrcoef(points.T))


def test_gaps_leave_out_the_pairs_they_touch() -> None:
    nan = float("nan")
    points = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, nan], [nan, 7.0], [2.0, nan]])
    centred = deviations(points)
    assert centred[2, 1] == centred[3, 0] == 0
    pairs = centred[:2]
    expected = (pairs[:, 0] @ pairs[:, 1]) / np.sqrt((pairs**2).sum(axis=0).prod())
    assert np.isclose(correlations(centred, ~np.isnan(points))[0, 1], expected)


def test_constant_and_empty_columns_correlate_with_nothing() -> None:
    points = np.column_stack([np.arange(4.0), np.ones(4), np.full(4, np.nan)])
    assert np.array_equal(correlations(deviations(points), ~np.isnan(points)), np.eye(3))


@given(seeds)
def test_a_mended_matrix_is_semidefinite_with_the_same_diagonal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(-1, 1, size=(4, 4))
    matrix = (matrix + matrix.T) / 2
    np.fill_diagonal(matrix, rng.uniform(0.5, 2, size=4))
    mended = semidefinite(matrix)
    assert np.linalg.eigvalsh(mended).min() > -1e-12
    assert np.allclose(np.diag(mended), np.diag(matrix))


def test_what_is_semidefinite_stays() -> None:
    matrix = np.array([[2.0, 1.0], [1.0, 2.0]])
    assert semidefinite(matrix) is matrix


@given(seeds)
def test_the_square_of_a_root_is_the_matrix(seed: int) -> None:
    half = np.random.default_rng(seed).normal(size=(4, 3))
    matrix = half @ half.T  # of rank three
    root = power(matrix, 0.5)
    assert np.allclose(root @ root, matrix)
    inverse = power(matrix, -1)
    assert np.allclose(matrix @ inverse @ matrix, matrix)


@given(seeds)
def test_points_get_exactly_the_moments_asked_for(seed: int) -> None:
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(3, 2)) * 100
    covariance, mean = half @ half.T, rng.normal(size=3)
    after = with_moments(rng.normal(size=(20, 3)), mean, covariance)
    assert np.allclose(after.mean(axis=0), mean)
    assert np.allclose(np.cov(after.T), covariance)


def test_points_with_the_right_moments_stay() -> None:
    points = np.random.default_rng(0).normal(size=(20, 3))
    after = with_moments(points.copy(), points.mean(axis=0), np.cov(points.T))
    assert np.allclose(after, points)
