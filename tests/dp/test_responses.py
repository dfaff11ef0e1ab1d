from __future__ import annotations

import math

import numpy as np
import pytest

import microveil as mv
from microveil import dp


def test_randomised_response_with_two_coins_costs_ln_3() -> None:
    assert dp.response_loss(0.75) == pytest.approx(math.log(3))
    truly = [bool(sum(dp.randomized_response([answer], math.log(3)))) for answer in [True] * 2000]
    assert abs(np.mean(truly) - 0.75) < 5 * math.sqrt(0.75 * 0.25 / 2000)


def test_the_estimate_is_twice_the_share_of_yes_less_one_half() -> None:
    found = dp.estimate_responses([400, 600], keep=0.75)
    assert found.shares[1] == pytest.approx(2 * 0.6 - 0.5)
    assert found.epsilon == pytest.approx(math.log(3))
    # Var(2·Y − ½) = 4·Y·(1 − Y) / n
    assert found.variances[1] == pytest.approx(4 * 0.6 * 0.4 / 1000)
    assert found.low[1] < 0.7 < found.high[1]
    again = dp.estimate_responses([400, 600], epsilon=math.log(3))
    assert again.shares == pytest.approx(found.shares)


def test_the_estimate_is_unbiased_and_its_variance_true() -> None:
    rng = np.random.default_rng(2)
    shares = np.array([0.6, 0.3, 0.1])
    epsilon, n = 1.0, 500
    keep = math.e / (math.e + 2)
    matrix = np.full((3, 3), (1 - keep) / 2) + np.eye(3) * (keep - (1 - keep) / 2)
    found = []
    for _ in range(2000):
        people = rng.multinomial(n, shares)
        counts = sum(rng.multinomial(people[k], matrix[k]) for k in range(3))
        found.append(dp.estimate_responses(counts, epsilon=epsilon).shares)
    expected = dp.estimate_responses(shares @ matrix * n, epsilon=epsilon)
    assert np.mean(found, axis=0) == pytest.approx(shares, abs=0.01)
    assert np.var(found, axis=0) == pytest.approx(expected.variances, rel=0.15)


@pytest.mark.parametrize(
    ("counts", "given"),
    [([1, 2], {}), ([1], {"keep": 0.75}), ([0, 0], {"keep": 0.75}), ([1, 2], {"keep": 0.5})],
)
def test_an_estimate_from_nothing_is_refused(counts: list[int], given: dict[str, float]) -> None:
    with pytest.raises(mv.InputError):
        dp.estimate_responses(counts, **given)
