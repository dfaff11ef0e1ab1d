from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InputError
from microveil.methods.parts.transitions import (
    Matrix,
    Spread,
    Vector,
    estimate_frequencies,
    invariant_matrix,
    response_matrix,
    retention_matrix,
    soften,
)

counts = st.lists(st.integers(0, 10_000), min_size=1, max_size=12).filter(any)


def shares_of(numbers: list[int]) -> Vector:
    return np.array(numbers) / sum(numbers)


def is_transition(matrix: Matrix) -> bool:
    return bool((matrix >= 0).all() and np.allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-12))


@given(counts, st.integers(0, 2**32), st.sampled_from(["evenly", "by_frequency"]))
def test_retention_stands_on_the_diagonal(numbers: list[int], seed: int, spread: Spread) -> None:
    retention = np.random.default_rng(seed).random(len(numbers))
    matrix = retention_matrix(retention, shares_of(numbers), spread)
    assert is_transition(matrix)
    if len(numbers) > 1:
        assert np.diagonal(matrix) == pytest.approx(retention, abs=1e-12)


def test_what_is_left_is_spread_evenly_or_by_frequency() -> None:
    shares, retention = np.array([0.5, 0.3, 0.2]), np.array([0.5, 0.8, 1.0])
    evenly = retention_matrix(retention, shares, "evenly")
    assert evenly[0].tolist() == [0.5, 0.25, 0.25]
    by_frequency = retention_matrix(retention, shares, "by_frequency")
    assert by_frequency[0] == pytest.approx([0.5, 0.3, 0.2])
    assert by_frequency[2].tolist() == [0, 0, 1]


@given(counts, st.integers(0, 2**32), st.floats(0, 1))
def test_an_invariant_matrix_leaves_the_frequencies(
    numbers: list[int], seed: int, alpha: float
) -> None:
    rng = np.random.default_rng(seed)
    shares = shares_of(numbers)
    first = rng.random((len(numbers), len(numbers))) + 1e-6
    first /= first.sum(axis=1, keepdims=True)
    matrix = soften(invariant_matrix(first, shares), alpha)
    assert is_transition(matrix)
    assert shares @ matrix == pytest.approx(shares, rel=0, abs=1e-12)


@given(st.integers(2, 200), st.floats(0.001, 30))
def test_no_answer_tells_two_values_apart_by_more_than_e_to_the_epsilon(
    k: int, epsilon: float
) -> None:
    matrix = response_matrix(k, epsilon)
    assert is_transition(matrix)
    ratio = (matrix.max(axis=0) / matrix.min(axis=0)).max()
    assert ratio <= math.exp(epsilon) * (1 + 1e-12)
    assert ratio == pytest.approx(math.exp(epsilon), rel=1e-12)


@given(counts, st.floats(0.05, 10))
def test_expected_answers_lead_back_to_the_original_frequencies(
    numbers: list[int], epsilon: float
) -> None:
    original = np.array(numbers, dtype=np.float64)
    matrix = response_matrix(len(numbers), epsilon)
    released = original @ matrix
    tolerance = 1e-8 * original.sum()
    assert estimate_frequencies(released, epsilon=epsilon) == pytest.approx(original, abs=tolerance)
    assert estimate_frequencies(released, matrix=matrix) == pytest.approx(original, abs=tolerance)


@given(st.floats(0, 1))
def test_two_coins_are_epsilon_log_three(yes: float) -> None:
    # Heads: the truth; tails: a second coin answers. Then p = 2Y − ½ (S1).
    assert response_matrix(2, math.log(3)) == pytest.approx(np.array([[0.75, 0.25], [0.25, 0.75]]))
    estimate = estimate_frequencies([1 - yes, yes], epsilon=math.log(3))
    assert estimate[1] == pytest.approx(2 * yes - 0.5, abs=1e-12)


def test_estimates_add_up_to_what_was_released() -> None:
    matrix = [[0.8, 0.2, 0.0], [0.1, 0.7, 0.2], [0.3, 0.3, 0.4]]
    assert estimate_frequencies([10, 70, 20], matrix=matrix).sum() == pytest.approx(100)
    assert estimate_frequencies([10, 70, 20], epsilon=0.3).sum() == pytest.approx(100)
    assert estimate_frequencies([10], epsilon=0.3).tolist() == [10]


def test_wrong_questions_to_the_estimator_are_answered_clearly() -> None:
    with pytest.raises(InputError, match="either the transition matrix or epsilon"):
        estimate_frequencies([1, 2])
    with pytest.raises(InputError, match="2 frequencies need a 2 × 2 transition matrix, not 3 × 3"):
        estimate_frequencies([1, 2], matrix=np.eye(3))
    with pytest.raises(InputError, match="singular"):
        estimate_frequencies([1, 2], matrix=[[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(InputError, match="epsilon of 0"):
        estimate_frequencies([1, 2], epsilon=0)
    with pytest.raises(InputError, match="one list of numbers"):
        estimate_frequencies([[1, 2]], epsilon=1)
