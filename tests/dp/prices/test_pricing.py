from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import microveil as mv
from microveil import dp
from tests.dp.sessions import FRAME
from tests.dp.tables import QUERIES, declared


@pytest.mark.parametrize("error", [1, 10, 500])
def test_a_wanted_error_is_kept_and_not_overpaid(error: float) -> None:
    offer = dp.price(dp.Count(), declared(), error=error)
    assert offer.error is not None
    assert offer.error <= error
    cheaper = dp.price(dp.Count(), declared(), offer.loss * "9/10")
    assert cheaper.error is not None
    assert cheaper.error >= error


@pytest.mark.parametrize("name", [n for n in QUERIES if n != "top"])
@pytest.mark.parametrize("currency", ["epsilon", "rho"])
def test_every_question_can_be_priced_by_its_error(name: str, currency: Any) -> None:
    given = dp.price(QUERIES[name], declared(size=2000), dp.Loss.parse({currency: 1}))
    assert given.error
    offer = dp.price(QUERIES[name], declared(size=2000), error=given.error, currency=currency)
    assert offer.error is not None
    assert offer.error <= given.error
    assert getattr(offer.loss, currency) <= Fraction(101, 100)


def test_an_error_that_cannot_be_foretold_is_said_so() -> None:
    with pytest.raises(mv.QueryError, match="cannot be predicted"):
        dp.price(dp.Mean(column="age"), declared(), error=1)
    with pytest.raises(mv.QueryError, match="either"):
        dp.price(dp.Count(), declared())
    with pytest.raises(mv.QueryError, match="above 0"):
        dp.price(dp.Count(), declared(), error=0)


def test_a_forecast_is_what_the_answer_says() -> None:
    declaration = declared(size=400)
    for name in ("count", "sum", "count_by", "histogram"):
        offer = dp.price(QUERIES[name], declaration, 1)
        found = dp.answer(QUERIES[name], FRAME, declaration, 1)
        row = found.rows[0]
        assert offer.error == pytest.approx((row["high"] - row["low"]) / 2, rel=1e-6)
        assert offer.loss == found.loss
        assert offer.noises == found.noises
