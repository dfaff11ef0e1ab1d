from __future__ import annotations

from typing import Any

import pytest

from microveil import dp
from microveil.dp.prices.bills import bill
from microveil.dp.sentences import sentence
from tests.dp.tables import declared


def said(query: dp.Query, rows: list[dict[str, Any]], **declaration: Any) -> str:
    paid = bill(dp.Count(), declared(), dp.Loss(epsilon=1))
    return sentence(query, rows, paid, declared(**declaration), 0.95)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"value": 1234, "low": 1200, "high": 1300}], "about 1,234, and with 95% confidence"),
        ([{"value": 1, "low": 0, "high": 2}] * 3, "3 rows, each in its interval"),
        ([{"value": "north", "low": None, "high": None}], "1 rows, chosen with noise"),
        ([], "no key is frequent enough to appear"),
    ],
)
def test_an_answer_is_told_as_surely_as_it_is_known(rows: list[dict[str, Any]], words: str) -> None:
    text = said(dp.Count(), rows)
    assert words in text
    assert "It cost" in text


def test_what_is_public_costs_nothing() -> None:
    text = said(
        dp.Count(),
        [{"value": 50, "low": 50, "high": 50}],
        size=50,
        size_is_public=True,
        neighbours="change_one",
    )
    assert text.endswith("exactly 50, which is public.")
    assert "cost" not in text
