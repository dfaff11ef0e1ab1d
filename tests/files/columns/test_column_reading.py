"""What a recipe says about how its data are read."""

from __future__ import annotations

from typing import Any

import pytest

from microveil.errors import SpecError
from microveil.files.columns.column_reading import ColumnReading, Reading

WRITTEN: list[dict[str, Any]] = [
    {},
    {"birth": "%d/%m/%Y"},
    {"code": "text", "height": {"type": "number", "missing": [9999, "NA"]}},
    {"birth": {"format": ["%d/%m/%Y", "%Y"], "unreadable": "missing"}},
    {"birth": {"format": "%d/%m/%y", "pivot": 10}},
    {"birth": "%Y", "file": {"separator": ";", "encoding": "latin-1"}},
    {"file": "text"},
    {"columns": {"file": {"type": "number", "missing": [1]}}},
]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_reading_survives_being_written(written: dict[str, Any]) -> None:
    reading = Reading.parse(written)
    assert Reading.parse(reading.to_dict()) == reading
    assert Reading.parse(reading.model_dump(mode="json")) == reading
    assert bool(reading) == bool(written)


def test_columns_stand_beside_the_file() -> None:
    for written in WRITTEN[1:6]:
        assert Reading.parse(written).to_dict() == written


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"birth": "%q"}, "Unknown in a date format: %q"),
        ({"birth": "dat"}, "Input should be 'text'"),
        ({"birth": {"type": "number", "format": "%Y"}}, "a format is for dates"),
        ({"birth": {"format": ["%F", "%F %T%z"]}}, "with and without a zone"),
        ({"file": {"separater": ";"}}, "Did you mean 'separator'"),
        ({"birth": {"pivot": 100}}, "less than or equal to 99"),
    ],
)
def test_a_mistake_is_told_with_its_place(written: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        Reading.parse(written)


def test_a_format_says_the_type() -> None:
    told = [ColumnReading.parse(one).becomes for one in ("%F", "%F %T", "%F %T%z", "text")]
    assert told == ["date", "datetime", "instant", "text"]
    assert ColumnReading.parse({"missing": [9]}).becomes is None


def test_columns_can_be_added() -> None:
    reading = Reading.parse({"a": "text"}).with_columns({"a": "number", "b": "%Y"})
    assert reading.to_dict() == {"a": "number", "b": "%Y"}
