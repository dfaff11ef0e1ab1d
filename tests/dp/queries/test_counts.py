from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil import dp
from tests.dp.answered import FRAME, HUGE, READY
from tests.dp.tables import declared, survey


def test_histogram_and_contingency_are_counts() -> None:
    bins = dp.answer(dp.Histogram(column="age", edges=[0, 30, 60, 100]), READY, spend=HUGE).frame
    ages = FRAME["age"]
    assert bins["value"].to_list() == [
        (ages < 30).sum(),
        ((ages >= 30) & (ages < 60)).sum(),
        (ages >= 60).sum(),
    ]
    by_keys = dp.answer(dp.Contingency(columns=["region", "smokes"]), READY, spend=HUGE)
    by_count = dp.answer(dp.Count(by=["region", "smokes"]), READY, spend=HUGE)
    assert by_keys.rows == by_count.rows


def test_an_entity_counts_with_the_rows_it_may_have() -> None:
    frame = pl.DataFrame({"id": [1] * 50 + [2, 3, None], "age": [30] * 53})
    declaration = dp.Declaration.parse(
        {
            "columns": {"age": {"type": "integer", "bounds": [0, 100]}},
            "entity": {"column": "id", "max_rows": 4},
        }
    )
    assert dp.answer(dp.Count(), frame, declaration, HUGE).value == 6
    assert dp.answer(dp.DistinctCount(), frame, declaration, HUGE).value == 3
    offer = dp.price(dp.Count(), declaration, 1)
    assert offer.noises[0].scale == 4
    assert dp.price(dp.DistinctCount(), declaration, 1).noises[0].scale == 1
    assert "column 'id', 4 rows at most" in offer.unit


def test_a_public_size_is_told_for_free_and_only_then() -> None:
    frame = survey(100)
    declaration = declared(neighbours="change_one", size=100, size_is_public=True)
    found = dp.answer(dp.Count(), frame, declaration, 1)
    assert found.value == 100
    assert found.loss.is_free
    assert "public" in found.sentence
    assert not dp.answer(dp.Count(where="age > 3"), frame, declaration, 1).loss.is_free
    with pytest.raises(mv.ColumnError, match="number of rows"):
        dp.answer(dp.Count(), survey(99), declaration, 1)
