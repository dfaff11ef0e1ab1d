from __future__ import annotations

import math

import pytest

from microveil import dp
from tests.dp.answered import names
from tests.dp.tables import QUERIES, declared


@pytest.mark.parametrize("spend", [dp.Loss(epsilon="1/3"), dp.Loss(rho="1/100")])
@names
def test_what_is_drawn_costs_no_more_than_what_is_charged(name: str, spend: dp.Loss) -> None:
    offer = dp.price(QUERIES[name], declared(), spend)
    pure = sum(e.amount for e in offer.events if e.mechanism in {"laplace", "pure"})
    gaussian = sum(e.amount for e in offer.events if e.mechanism == "gaussian")
    if spend.epsilon:
        assert pure <= spend.epsilon
        assert not gaussian
    else:
        bounded = sum(e.amount**2 / 8 for e in offer.events if e.mechanism == "pure")
        assert gaussian / 2 + bounded <= spend.rho
    assert offer.loss == spend


@names
def test_with_a_delta_the_narrower_noise_is_bought_and_kept_within(name: str) -> None:
    spend = dp.Loss(epsilon=1, delta="1e-5")
    offer = dp.price(QUERIES[name], declared(), spend)
    assert offer.loss.fits(spend)
    assert dp.tight_epsilon(offer.events, offer.loss.delta) <= 1.0001
    alone = dp.price(QUERIES[name], declared(), dp.Loss(epsilon=1))
    if offer.noises[0].distribution == "gaussian":
        assert offer.noises[0].scale < math.sqrt(2) * alone.noises[0].scale


def test_many_sums_at_once_are_better_off_with_gaussian_noise() -> None:
    wide = declared(entity={"column": "id", "max_rows": 1})
    query = dp.LinearRegression(target="income", features=["age", "smokes"])
    offer = dp.price(query, wide, dp.Loss(epsilon=1, delta="1e-5"))
    assert {noise.distribution for noise in offer.noises} == {"gaussian"}
    assert offer.loss.delta == dp.Loss(delta="1e-5").delta
