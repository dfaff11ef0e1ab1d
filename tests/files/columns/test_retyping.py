"""Columns read as they were asked for."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

from microveil.errors import FileError
from microveil.files.columns.column_reading import ColumnReading
from microveil.files.columns.retyping import fitting, reading_of, retype


def read(cells: list[Any], wanted: Any) -> pl.Series:
    return retype(pl.DataFrame({"x": cells}), {"x": wanted})["x"]


def test_reading_twice_is_reading_once() -> None:
    cases: list[tuple[list[Any], Any]] = [
        (["31/12/1980", None], "%d/%m/%Y"),
        ([19801231], "%Y%m%d"),
        (["1.5", "9999"], {"type": "number", "missing": [9999]}),
        ([1, 2], "text"),
    ]
    for cells, wanted in cases:
        once = read(cells, wanted)
        assert read(once.to_list(), wanted).equals(once)


def test_whole_numbers_are_read_as_dates() -> None:
    assert read([19801231, None], "%Y%m%d").to_list() == [date(1980, 12, 31), None]


def test_failures_are_shown_by_pattern_and_never_by_value() -> None:
    cells = ["31/12/1980"] * 98 + ["3-12-80", "secret"]
    with pytest.raises(FileError) as told:
        read(cells, "%d/%m/%Y")
    assert "2 of 100 cells of column 'x' cannot be read as %d/%m/%Y (d-mm-yy: 1; a: 1)" in str(told)
    assert "secret" not in str(told.value)
    wanted = {"format": "%d/%m/%Y", "unreadable": "missing"}
    assert read(cells, wanted).null_count() == 2


def test_a_type_that_most_cells_do_not_have_is_refused_whatever_happens_to_the_rest() -> None:
    with pytest.raises(FileError, match=r"3 of 3 cells .* give that format"):
        read(["12/31/1980"] * 3, {"format": "%d/%m/%Y", "unreadable": "missing"})


def test_a_date_that_is_not_iso_is_refused_with_its_format() -> None:
    with pytest.raises(FileError, match=r"100% are dates written as %d/%m/%Y: give that format"):
        read(["31/12/1980", "01/02/1990"], "date")


def test_a_fraction_is_no_whole_number() -> None:
    with pytest.raises(FileError, match="1 of 2 cells"):
        read([1.5, 2.0], "integer")
    assert read([1.0, 2.0], "integer").to_list() == [1, 2]


def test_a_release_is_read_as_far_as_it_can_be() -> None:
    frame = pl.DataFrame({"birth": ["1980s", "1990s"], "code": [1, 2]})
    types = {"birth": "%d/%m/%Y", "code": "text", "gone": "text"}
    asked = {name: reading_of(one, name) for name, one in types.items()}
    assert fitting(frame, asked).schema == {"birth": pl.String, "code": pl.String}


def test_a_reading_may_be_a_word_a_format_or_a_mapping() -> None:
    assert reading_of("text", "x") == ColumnReading(type="text")
    assert reading_of({"missing": [9]}, "x") == ColumnReading(missing=(9,))
    with pytest.raises(FileError, match=r"Unknown type .txt. for column .x.\. Did you mean .text."):
        reading_of("txt", "x")
    with pytest.raises(FileError, match="Column 'x': format"):
        reading_of("%q", "x")
