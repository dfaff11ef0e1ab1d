from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from microveil import dp
from microveil.dp.accounting.gaussian import discrete_slack


def test_a_thousand_gaussian_counts_cost_1_3676_and_never_less() -> None:
    count = dp.Event(mechanism="gaussian", amount=Fraction(1, 100) ** 2)
    epsilon = dp.tight_epsilon([count] * 1000, 1e-6)
    exact = 1.367571475  # the root of Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) = 10⁻⁶ for μ² = 0.1
    assert exact <= epsilon <= exact * 1.01
    assert epsilon < dp.zcdp_epsilon(0.05, 1e-6) < 1.713


def test_discrete_gaussian_noise_is_as_near_to_the_continuous_as_proved() -> None:
    from scipy.special import ndtr

    for scale in (4.0, 7.5, 20.0):
        reach = np.arange(-int(12 * scale), int(12 * scale) + 1)
        weights = np.exp(-((reach / scale) ** 2) / 2)
        discrete = weights / weights.sum()
        rounded = ndtr((reach + 0.5) / scale) - ndtr((reach - 0.5) / scale)
        distance = np.abs(discrete - rounded).sum() / 2
        assert distance <= discrete_slack(scale, 1)
        assert distance > discrete_slack(scale, 1) / 20  # the bound is no idle one


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("delta", [1e-10, 1e-5, 0.1])
def test_the_largest_ratio_of_gaussian_noise_uses_its_delta_up(
    epsilon: float, delta: float
) -> None:
    mu = dp.gaussian_mu(epsilon, delta)
    assert dp.gaussian_delta(epsilon, mu) <= delta
    assert dp.gaussian_delta(epsilon, mu * 1.0001) > delta
    assert dp.gaussian_epsilon(mu, delta) == pytest.approx(epsilon, rel=1e-6)
