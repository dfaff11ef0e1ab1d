import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.statistics.inverse_frequencies import (
    approximate_inverses,
    expected_inverses,
    inverse_variances,
)

SHARES = st.floats(0.02, 1.0)


def posterior(f: int, p: float) -> tuple[float, float]:
    """E(1/F) and its variance, F − f ~ NB(f, p), summed term by term."""
    chance, first, second = p**f, 0.0, 0.0
    for others in range(200_000):
        if others:
            chance *= (f + others - 1) / others * (1 - p)
        first += chance / (f + others)
        second += chance / (f + others) ** 2
        if others > f / p and chance < 1e-20:
            break
    return first, second - first**2


def of(f: float, p: float) -> float:
    return float(expected_inverses(np.array([f]), np.array([p]))[0])


@given(st.integers(1, 80), SHARES)
@settings(deadline=None, max_examples=60)
def test_the_exact_risk_is_the_posterior_expectation(f: int, p: float) -> None:
    assert of(f, p) == pytest.approx(posterior(f, p)[0], rel=1e-9)


@given(st.integers(1, 60), SHARES)
@settings(deadline=None, max_examples=40)
def test_the_variance_is_the_posterior_one(f: int, p: float) -> None:
    found = inverse_variances(np.array([float(f)]), np.array([p]))[0]
    assert found == pytest.approx(posterior(f, p)[1], rel=1e-5, abs=1e-12)


@pytest.mark.parametrize(("f", "p"), [(100, 0.05), (400, 0.9)])
def test_large_classes_have_about_the_posterior_variance(f: int, p: float) -> None:
    found = inverse_variances(np.array([float(f)]), np.array([p]))[0]
    assert found == pytest.approx(posterior(f, p)[1], rel=0.05)


@given(st.floats(1, 40), SHARES)
@settings(deadline=None, max_examples=80)
def test_risk_that_need_not_be_whole_follows_the_integral(f: float, p: float) -> None:
    """∫₀¹ u^(f−1)·p/(p + q·u) du with u = e^(−y), by the trapezoidal rule on a fine grid."""
    y = np.linspace(0, 40 / f - math.log(p), 400_001)
    values = np.exp(-f * y) * p / (p + (1 - p) * np.exp(-y))
    assert of(f, p) == pytest.approx(float(np.trapezoid(values, y)), rel=1e-6)


@given(st.integers(1, 200), st.floats(1e-9, 1.0))
@settings(deadline=None)
def test_the_approximation_is_never_below_and_exact_up_to_two(f: int, p: float) -> None:
    exact = of(f, p)
    near = float(approximate_inverses(np.array([float(f)]), np.array([p]))[0])
    assert near >= exact * (1 - 1e-9)
    assert near <= 1 / f + 1e-12
    if f <= 2:
        assert near == exact


@given(st.floats(1, 100), st.floats(1e-12, 1.0))
@settings(deadline=None)
def test_risk_lies_between_the_share_and_the_whole_of_one_over_f(f: float, p: float) -> None:
    """Jensen: E(1/F) ≥ 1/E(F) = p/f; and F ≥ f."""
    assert p / f * (1 - 1e-6) <= of(f, p) <= 1 / f + 1e-12


def test_a_sample_that_is_the_population_risks_one_over_f() -> None:
    sizes = np.array([1.0, 2.0, 2.5, 30.0])
    assert expected_inverses(sizes, np.ones(4)).tolist() == (1 / sizes).tolist()
    assert approximate_inverses(sizes, np.ones(4)).tolist() == (1 / sizes).tolist()
    assert inverse_variances(sizes, np.ones(4)).tolist() == [0, 0, 0, 0]


def test_a_share_just_below_one_is_no_trouble() -> None:
    """The closed forms lose all digits there: p/q − (p/q)²·ln(1/p) with q = 1e−9."""
    near = expected_inverses(np.array([1.0, 2.0, 40.0]), np.full(3, 1 - 1e-9))
    assert near == pytest.approx([1, 1 / 2, 1 / 40], rel=1e-8)
