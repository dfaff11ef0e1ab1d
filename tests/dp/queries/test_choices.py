from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil import dp
from tests.dp.answered import HUGE, READY


def test_the_most_frequent_keys_come_first() -> None:
    found = dp.answer(dp.TopK(column="region", k=3), READY, spend=HUGE)
    assert [row["value"] for row in found.rows] == ["north", "south", "east"]


@pytest.mark.parametrize("currency", ["epsilon", "rho"])
def test_no_key_left_out_is_further_ahead_than_the_error_says(currency: str) -> None:
    counts = {"a": 14, "b": 12, "c": 10, "d": 9, "e": 8, "f": 0}
    table = pl.DataFrame({"town": [name for name, n in counts.items() for _ in range(n)]})
    known = {"columns": {"town": {"type": "text", "keys": list(counts)}}}
    query, spend = mv.dp.TopK(column="town", k=2), mv.dp.Loss.parse({currency: "1/2"})
    error = mv.dp.price(query, known, spend, confidence=0.6).error
    assert error is not None
    assert f"{error:,.6g} rows" in mv.dp.answer(query, table, known, spend, confidence=0.6).sentence
    missed = 0
    for _ in range(200):
        named = [row["value"] for row in mv.dp.answer(query, table, known, spend).rows]
        left_out = max(n for name, n in counts.items() if name not in named)
        missed += left_out - min(counts[name] for name in named) > error
    assert missed <= 0.4 * 200 + 3 * (200 * 0.4 * 0.6) ** 0.5


def test_the_spend_for_an_error_of_the_most_frequent_keys_is_found() -> None:
    known = {"columns": {"town": {"type": "text", "keys": ["a", "b", "c"]}}}
    offer = mv.dp.price(mv.dp.TopK(column="town", k=1), known, error=10)
    assert offer.error is not None
    assert 9.5 < offer.error <= 10
    assert offer.error_of == "rows"
