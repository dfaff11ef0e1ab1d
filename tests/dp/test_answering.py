from __future__ import annotations

import math
from typing import Any

import pytest

import microveil as mv
from microveil import dp
from tests.dp.every_question import ALL, SPENDS, names
from tests.dp.tables import declared, survey

spends = pytest.mark.parametrize("spend", SPENDS, ids=["epsilon", "rho"])


@names
@spends
@pytest.mark.parametrize("height", [0, 1])
def test_no_row_and_one_row_are_answered(name: str, spend: dp.Loss, height: int) -> None:
    found = dp.answer(ALL[name], survey(10).head(height), declared(), spend)
    for row in found.rows:
        if isinstance(row["value"], float):
            assert math.isfinite(row["value"])
        if row["low"] is not None:
            assert row["low"] <= row["value"] <= row["high"]


@names
@spends
def test_a_filter_that_keeps_nothing_is_answered(name: str, spend: dp.Loss) -> None:
    query = ALL[name].model_copy(update={"where": dp.as_filter("age > 99")})
    found = dp.answer(query, survey(50), declared(), spend)
    assert found.loss.fits(spend)


@pytest.mark.parametrize("tiny", ["1e-20", "1e-300"])
@names
def test_a_spend_that_buys_nothing_but_noise_is_refused(name: str, tiny: str) -> None:
    for spend in (dp.Loss(epsilon=tiny, delta="1e-6"), dp.Loss(rho=tiny, delta="1e-6")):
        try:
            dp.price(ALL[name], declared(), spend)
        except mv.QueryError as error:
            assert "spend more" in str(error).lower()  # noqa: PT017  either way out is right
        else:
            assert spend.rho == dp.Loss(rho="1e-20").rho  # √: Gaussian noise is still usable


@pytest.mark.parametrize("huge", [10**6, 10**12, "1e300"])
@names
def test_a_spend_beyond_reason_adds_hardly_any_noise(name: str, huge: Any) -> None:
    for spend in (dp.Loss(epsilon=huge, delta="1e-6"), dp.Loss(rho=huge, delta="1e-6")):
        found = dp.answer(ALL[name], survey(30), declared(), spend)
        assert found.loss.fits(spend)


@pytest.mark.parametrize(
    ("spend", "hint"),
    [
        (None, "Give what may be spent"),
        (dp.Loss(), "Give what may be spent"),
        (dp.Loss(delta="1e-6"), "Give what may be spent"),
        (dp.Loss(epsilon=1, rho=1), "one currency"),
    ],
)
def test_a_spend_is_one_currency_and_more_than_nothing(spend: Any, hint: str) -> None:
    with pytest.raises(mv.QueryError, match=hint):
        dp.answer(dp.Count(), survey(5), declared(), spend)
