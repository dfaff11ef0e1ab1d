from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from microveil import dp
from microveil.dp.accounting.losses import Composition, laplace_atoms

ORACLE = json.loads(
    Path(__file__).parent.parent.joinpath("data/oracle.json").read_text(encoding="utf-8")
)


def events(parts: list[tuple[str, float, int]]) -> list[dp.Event]:
    found = []
    for mechanism, scale, times in parts:
        amount = 1 / Fraction(scale).limit_denominator(1000)
        if mechanism == "gaussian":
            event = dp.Event(mechanism="gaussian", amount=amount**2)
        elif mechanism == "laplace":
            event = dp.Event(mechanism="laplace", amount=amount, steps=2**20)
        else:
            event = dp.Event(mechanism="pure", amount=amount)
        found += [event] * times
    return found


def test_the_bill_of_a_thousand_gaussian_counts_keeps_to_it() -> None:
    declaration = dp.Declaration.parse({"columns": {"x": {"type": "boolean"}}})
    offer = dp.price(dp.Count(where="x"), declaration, dp.Loss(rho=Fraction(1, 20_000)))
    assert offer.noises[0].scale == pytest.approx(100, rel=1e-12)
    assert 1.367571475 <= dp.tight_epsilon(list(offer.events) * 1000, 1e-6) <= 1.3677


@pytest.mark.parametrize("case", ORACLE["cases"], ids=lambda case: f"{case['events']}")
def test_compositions_agree_with_an_independent_accountant(case: dict[str, Any]) -> None:
    found = dp.tight_epsilon(events(case["events"]), case["delta"])
    # Both round up; the other one by up to 10⁻⁵ for each mechanism.
    assert found <= case["epsilon"] * (1 + 5e-4)
    assert found >= case["epsilon"] * (1 - 3e-3)


@pytest.mark.parametrize(("epsilon", "times"), [("0.1", 60), ("0.02", 1000), ("1", 5), ("0.5", 30)])
@pytest.mark.parametrize("delta", [1e-2, 1e-5, 1e-8])
def test_pure_mechanisms_compose_as_their_binomial_says(
    epsilon: str, times: int, delta: float
) -> None:
    event = dp.Event(mechanism="pure", amount=epsilon)
    found = dp.tight_epsilon([event] * times, delta)
    assert binomial_delta(float(epsilon), times, found) <= delta
    assert binomial_delta(float(epsilon), times, found * (1 - 1e-3)) > delta


def binomial_delta(epsilon: float, times: int, at: float) -> float:
    """δ of the worst ε-private mechanism, asked several times, added up term by term."""
    likely = math.exp(epsilon) / (1 + math.exp(epsilon))
    total = 0.0
    for yes in range(times + 1):
        loss = (2 * yes - times) * epsilon
        if loss > at:
            log = math.lgamma(times + 1) - math.lgamma(yes + 1) - math.lgamma(times - yes + 1)
            log += yes * math.log(likely) + (times - yes) * math.log1p(-likely)
            total += math.exp(log) * -math.expm1(at - loss)
    return total


def test_composition_is_never_better_than_the_truth_for_one_mechanism() -> None:
    whole = Composition([laplace_atoms(1.0, 1)], 1e-9)
    truth = [math.e / (1 + math.e) * -math.expm1(at - 1) for at in (0.0, 0.3, 0.9)]
    for at, exact in zip((0.0, 0.3, 0.9), truth, strict=True):
        assert exact <= whole.delta(at) <= exact + 1e-6


def test_nothing_costs_nothing_and_an_overspent_delta_everything() -> None:
    assert dp.tight_epsilon([], 1e-6) == 0
    lost = dp.Event(mechanism="delta", amount="1e-3")
    assert dp.tight_epsilon([lost], 1e-6) == math.inf
    pure = dp.Event(mechanism="pure", amount=1)
    assert dp.tight_epsilon([pure], 0) == pytest.approx(1)
    assert dp.tight_delta([pure], 1) <= 1e-9


def test_tight_delta_is_the_other_side_of_tight_epsilon() -> None:
    many = events([("laplace", 10.0, 50), ("gaussian", 20.0, 20)])
    epsilon = dp.tight_epsilon(many, 1e-5)
    assert dp.tight_delta(many, epsilon) == pytest.approx(1e-5, rel=0.05)
