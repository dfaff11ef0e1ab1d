"""Columns become a few bars, and no record is lost on the way."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.tables.values import categories
from microveil.web.project.columns import MISSING, MOST_BARS, OTHERS, bars


def test_every_record_is_in_exactly_one_bar() -> None:
    numbers = pl.Series([*range(100), None, float("nan"), float("inf")], strict=False)
    texts = pl.Series([str(i % 30) for i in range(100)] + [None])
    for column in (numbers, texts, pl.Series([True, None, False])):
        assert sum(one.count for one in bars(column)) == len(column)


def test_rare_categories_are_counted_together_and_missing_ones_apart() -> None:
    column = pl.Series([str(i) for i in range(40)] + ["often"] * 5 + [None] * 3)
    found = bars(column)
    assert (found[0].label, found[0].count) == ("often", 5)
    assert len(found) == MOST_BARS + 2
    assert [one.label for one in found[-2:]] == [OTHERS, MISSING]


def test_few_numbers_are_categories_and_many_are_ranges() -> None:
    assert bars(pl.Series([1, 1, 2]))[0].label == "1"
    ranges = bars(pl.Series(range(1000)))
    assert ranges[0].low == 0
    assert ranges[-1].high == 999


@pytest.mark.parametrize("column", [pl.Series([], dtype=pl.Int64), pl.Series([], dtype=pl.String)])
def test_an_empty_column_has_no_bar(column: pl.Series) -> None:
    assert bars(column) == ()
    assert categories(column) == []


def test_values_that_are_written_alike_are_one_category() -> None:
    assert categories(pl.Series([0.0, -0.0, 1.5, 1.5, None])) == [("0", 2), ("1.5", 2)]


def test_ranges_stand_in_their_order_and_words_by_their_number() -> None:
    ages = pl.Series(["[40, 50)"] * 4 + ["<40"] * 3 + ["≥50"] * 5 + [None])
    assert [one.label for one in bars(ages)] == ["<40", "[40, 50)", "≥50", MISSING]
    assert [one.label for one in bars(pl.Series([10, 9, 9, 2]))] == ["2", "9", "10"]
    assert [one.label for one in bars(pl.Series(["b", "b", "a", "1"]))] == ["b", "1", "a"]


def test_years_are_written_without_a_comma() -> None:
    assert bars(pl.Series(range(1930, 1990)))[0].label == "1930–1935"
    assert bars(pl.Series(range(0, 120_000, 1_000)))[-1].label == "109,083–119,000"
