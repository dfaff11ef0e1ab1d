"""Adversaries that choose what to ask next by what they have learnt, simulated."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import microveil as mv
from microveil import dp
from microveil.dp.accounting.filtering import GaussianFilter, pure_mu
from microveil.dp.accounting.gaussian import gaussian_delta, gaussian_mu
from tests.dp.tables import declared, survey

EPSILON, DELTA = 1.0, 0.02
PATHS = 400_000
RNG = np.random.default_rng(20240607)


def fresh(keys: str = "0") -> GaussianFilter:
    return GaussianFilter(Fraction(1), Fraction("0.02"), Fraction(keys))


def gaussian(squares: Any) -> dp.Event:
    return dp.Event(mechanism="gaussian", amount=squares)


def step(losses: Any, squares: Any) -> Any:
    """Privacy losses under the table with the person, after Gaussian noise of these ratios."""
    return losses + squares / 2 + np.sqrt(squares) * RNG.standard_normal(len(losses))


def leaked(losses: Any) -> tuple[float, float]:
    """The δ at ε that the losses show, and its standard error."""
    gains = np.maximum(1 - np.exp(EPSILON - losses), 0)
    return float(gains.mean()), float(gains.std() / math.sqrt(len(gains)))


def hurries(losses: Any, left: Any) -> Any:
    """Spends much where little was learnt, and stops where enough was."""
    return np.where(losses > EPSILON + 0.2, 0, np.where(losses < 0.3, left / 2, left / 20))


def waits(losses: Any, left: Any) -> Any:
    """Spends little until luck comes, and then all."""
    return np.where(losses > 0.5, left, left / 30)


def saves(losses: Any, left: Any) -> Any:
    """Spends only where a success is near."""
    return np.where(np.abs(losses - EPSILON) < 0.4, left / 2, left / 40)


@pytest.mark.parametrize("chooses", [hurries, waits, saves])
def test_no_pacing_exceeds_the_budget(chooses: Any) -> None:
    most = float(fresh().most_squares)
    spent, losses = np.zeros(PATHS), np.zeros(PATHS)
    for _ in range(40):
        wanted = np.clip(chooses(losses, most - spent), 0, None)
        spent += wanted
        losses = step(losses, wanted)
    # What each path has spent is what the filter would admit.
    assert fresh().with_events([gaussian(Fraction(float(spent.max()) * (1 - 1e-9)))]).admits
    found, error = leaked(losses)
    assert found <= DELTA + 5 * error


def mixture(first: float, whole: float, lost: float) -> tuple[float, float]:
    """Noise first; then all noise that is left where much was learnt, else a δ, where allowed."""
    losses = step(np.zeros(PATHS), np.full(PATHS, first))
    best = (0.0, 0.0)
    for limit in np.linspace(-0.5, 1.5, 21):
        lucky = losses > limit
        later = step(losses, np.where(lucky, whole - first, 0.0))
        gains = np.maximum(1 - np.exp(EPSILON - later), 0)
        # A δ tells everything, with that probability.
        gains = np.where(lucky, gains, lost + (1 - lost) * gains)
        best = max(best, (float(gains.mean()), float(gains.std() / math.sqrt(PATHS))))
    return best


def test_a_bound_for_fixed_sequences_would_be_exceeded_by_a_mixture() -> None:
    """Why the joint cost of what was drawn must not decide: the rule that was used before."""
    whole = gaussian_mu(EPSILON, DELTA * (1 - 1e-9)) ** 2
    first = 0.6 * whole
    lost = DELTA - gaussian_delta(EPSILON, math.sqrt(first)) - 1e-9
    slow = [gaussian(Fraction(first)), dp.Event(mechanism="delta", amount=Fraction(lost))]
    assert dp.tight_epsilon(slow, DELTA) <= EPSILON
    assert dp.tight_epsilon([gaussian(Fraction(whole))], DELTA) <= EPSILON
    found, error = mixture(first, whole, lost)
    assert found > 1.3 * DELTA + 5 * error
    # The filter refuses the swap.
    after = fresh().with_events([gaussian(Fraction(first))])
    assert after.admits
    assert not after.with_events([slow[1]]).admits


@pytest.mark.parametrize("keys", ["0.002", "0.01"])
def test_a_mixture_within_limits_of_its_own_keeps_the_budget(keys: str) -> None:
    limits = fresh(keys)
    whole = float(limits.most_squares)
    for share in (0.3, 0.6, 0.9):
        found, error = mixture(share * whole, whole, float(keys))
        assert found <= DELTA + 5 * error


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 20.0])
def test_pure_privacy_is_within_its_gaussian_one(epsilon: float) -> None:
    """At every ε' the δ of randomised response is at most that of the Gaussian noise."""
    mu = pure_mu(epsilon)
    likely = 1 / (1 + math.exp(-epsilon))
    for other in np.linspace(0, epsilon, 40):
        own = max(likely - math.exp(other) * (1 - likely), 0.0)
        assert own <= gaussian_delta(float(other), mu) + 1e-12


def test_gaussian_noise_fixed_beforehand_is_accounted_for_exactly() -> None:
    budget = GaussianFilter(Fraction(13676, 10000), Fraction(1, 10**6))
    count = gaussian("1/10000")
    assert budget.with_events([count] * 1000).admits
    assert not budget.with_events([count] * 1001).admits
    assert budget.with_events([count] * 1000).noise_epsilon == pytest.approx(1.36757, abs=1e-4)


def test_a_tight_session_refuses_private_keys_unless_a_part_was_set_aside() -> None:
    budget, spend = dp.Loss(epsilon=1, delta="1e-6"), dp.Loss(epsilon="1/10", delta="1e-7")
    query = dp.Count(by="job")
    refusing = dp.Session(survey(300), declared(), budget=budget, accounting="tight")
    with pytest.raises(mv.BudgetError, match="set aside"):
        refusing.ask(query, spend)
    session = dp.Session(survey(300), declared(), budget=budget, accounting="tight", keys="1e-7")
    session.ask(query, spend)
    with pytest.raises(mv.BudgetError, match="set aside"):
        session.ask(dp.Count(by="job", where="age > 3"), spend)
    with pytest.raises(mv.InputError, match="part of the budget"):
        dp.Session(survey(30), declared(), budget=budget, accounting="tight", keys="1e-3")
