from __future__ import annotations

import datetime as dt
from typing import Any

import polars as pl
import pytest

from microveil.app.inspection.column import Column


@pytest.mark.parametrize(
    ("cells", "form", "words"),
    [
        (["a", None], "text", "text"),
        ([1, 2], "whole", "whole number"),
        ([1.0, None, 3.0], "whole", "whole number"),
        ([1.5], "decimal", "number"),
        ([True], "boolean", "yes/no"),
        ([dt.date(2020, 1, 1)], "date", "date"),
        ([dt.time(1)], "time", "time of day"),
        ([dt.timedelta(1)], "duration", "duration"),
        ([[1]], "nested", "nested (list)"),
        ([b"x"], "binary", "binary"),
        ([None, None], "empty", "empty"),
    ],
)
def test_the_form_is_what_the_cells_are_whatever_their_type(
    cells: list[Any], form: str, words: str
) -> None:
    column = Column(pl.Series("x", cells), None)
    assert column.form == form
    assert column.dtype == words


def test_text_is_seen_as_numbers_and_dates_where_it_parses() -> None:
    numbers = Column(pl.Series("x", [" 1,5 ", "x", "1" * 19]), None).views
    assert numbers["number"].to_list() == [1.5, None, None]
    assert numbers["date"].to_list() == [None, None, None]
    texts = ["3.2.2020", "03.02.2020", "03.2.2020", "3.02.2020", "x"]
    days = Column(pl.Series("x", texts), None).views["date"]
    assert days.drop_nulls().unique().to_list() == [dt.date(2020, 2, 3)]
    assert days.null_count() == 1
    assert numbers["text"][0] == "1,5"


def test_whole_floats_are_written_without_a_fraction() -> None:
    views = Column(pl.Series("x", [12345678901234.0]), None).views
    assert views["text"].to_list() == ["12345678901234"]


def test_a_sample_has_distinct_values_and_is_the_same_each_time() -> None:
    series = pl.Series("x", [i % 500 for i in range(10_000)])
    one, again = (Column(series, 50).values.to_list() for _ in range(2))
    assert one == again
    assert len(one) == len(set(one)) == 50
    assert len(Column(series, None).values) == 500
