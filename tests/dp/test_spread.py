from __future__ import annotations

import math

import pytest

from microveil import dp
from tests.dp.answered import HUGE, READY, as_number, names, numbers
from tests.dp.tables import QUERIES


@names
@pytest.mark.parametrize("spend", [dp.Loss(epsilon=2), dp.Loss(rho="1/2")], ids=["epsilon", "rho"])
def test_intervals_cover_the_truth_as_often_as_they_say(name: str, spend: dp.Loss) -> None:
    assert_covered(name, spend, n_draws=30)


@pytest.mark.slow
@names
@pytest.mark.parametrize(
    "spend",
    [dp.Loss(epsilon="0.5"), dp.Loss(epsilon=1, delta="1e-6"), dp.Loss(rho="1/20")],
    ids=["epsilon", "approximate", "rho"],
)
def test_intervals_cover_the_truth_in_many_draws(name: str, spend: dp.Loss) -> None:
    assert_covered(name, spend, n_draws=400)


def assert_covered(name: str, spend: dp.Loss, n_draws: int) -> None:
    query = QUERIES[name]
    if query.kind() == "top_k":
        pytest.skip("a choice of keys has no interval")
    # Choices and regressions have answers of their own even without noise: compare with those.
    truth = numbers(dp.answer(query, READY, spend=HUGE))
    hits = n = 0
    for _ in range(n_draws):
        rows = dp.answer(query, READY, spend=spend).rows
        hits += sum(
            as_number(row["low"]) - 1e-9 <= true <= as_number(row["high"]) + 1e-9
            for row, true in zip(rows, truth, strict=True)
        )
        n += len(rows)
    # Rows of one answer share their noise in part, so that draws are what counts here.
    assert hits / n >= 0.95 - 5 * math.sqrt(0.95 * 0.05 / n_draws)
