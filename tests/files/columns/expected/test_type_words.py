"""Types of columns in the words of a schema."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.files.columns.expected.type_words import passes_as, type_word


@pytest.mark.parametrize(
    ("dtype", "word"),
    [
        (pl.UInt8(), "integer"),
        (pl.Float32(), "number"),
        (pl.Decimal(10, 2), "number"),
        (pl.String(), "text"),
        (pl.Categorical(), "text"),
        (pl.Boolean(), "boolean"),
        (pl.Date(), "date"),
        (pl.Datetime("ms"), "datetime"),
        (pl.Datetime("ns", "Europe/Madrid"), "instant"),
        (pl.Time(), "time"),
        (pl.Duration(), "duration"),
        (pl.List(pl.Int8), "list"),
        (pl.Struct({"a": pl.Int8}), "list"),
    ],
)
def test_each_type_has_a_word_and_passes_as_itself(dtype: pl.DataType, word: str) -> None:
    assert type_word(dtype) == word
    assert passes_as(dtype, type_word(dtype))


def test_whole_numbers_pass_as_numbers_and_an_empty_column_as_anything() -> None:
    assert passes_as(pl.Int64(), "number")
    assert not passes_as(pl.Float64(), "integer")
    assert not passes_as(pl.String(), "date")
    assert passes_as(pl.Null(), "date")
