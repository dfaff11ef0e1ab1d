from __future__ import annotations

from datetime import date, datetime

import polars as pl

from microveil.pairs.column_types import sides_of, written_values


def test_numbers_meet_as_numbers_and_nan_is_missing() -> None:
    nothing = pl.Series("x", [], dtype=pl.Float64)
    found = sides_of(pl.Series("x", [1.0, float("nan")]), pl.Series("x", [1]), nothing)
    assert found.ordered
    assert not found.labelled
    assert found.original.to_list() == [1.0, None]
    assert found.released.to_list() == [1.0]


def test_dates_beside_labels_stay_ordered() -> None:
    days = pl.Series("x", [date(1970, 1, 2)])
    found = sides_of(days, pl.Series("x", ["1970-01"]), days.clear())
    assert found.ordered
    assert found.labelled
    assert found.original.to_list() == [86_400_000_000]
    moments = pl.Series("x", [datetime(1970, 1, 2)])  # noqa: DTZ001
    assert sides_of(days, moments, days.clear()).released.to_list() == [86_400_000_000]


def test_words_that_the_original_has_are_no_labels() -> None:
    words = pl.Series("x", ["a", "b"])
    assert not sides_of(words, pl.Series("x", ["b"]), words.clear()).labelled
    assert sides_of(words, pl.Series("x", ["c"]), words.clear()).labelled
    assert not sides_of(words, pl.Series("x", ["c"]), pl.Series("x", ["c"])).labelled


def test_written_values_are_in_the_order_of_the_converted_ones() -> None:
    ages = pl.Series("x", [10, 9, None, 10])
    text = ages.cast(pl.String)
    found = written_values(ages, pl.Series("x", ["7"]), pl.concat([text, pl.Series("x", ["7"])]))
    assert found.to_list() == [10, 7, 9]
