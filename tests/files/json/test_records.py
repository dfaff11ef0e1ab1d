"""JSON files of records and of columns."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import polars as pl
import pytest

import microveil as mv

FRAME = pl.DataFrame(
    {
        "name": ["Ana", None, 'Zoë "x", y'],
        "age": [31, 40, None],
        "pay": [1.5, None, 2.25],
        "day": [dt.date(2021, 5, 1), None, dt.date(1999, 12, 31)],
        "yes": [True, False, None],
        "tags": [["a", "b"], [], None],
    }
)


def test_records_and_columns_are_the_same_table(tmp_path: Path) -> None:
    records = [
        {"name": "Ana", "age": 31, "day": "2021-05-01"},
        {"age": None, "day": "2021-05-02", "town": "Soria"},
    ]
    columns = {
        "name": ["Ana", None],
        "age": [31, None],
        "day": ["2021-05-01", "2021-05-02"],
        "town": [None, "Soria"],
    }
    (tmp_path / "records.json").write_text(json.dumps(records), encoding="utf-8")
    (tmp_path / "columns.json").write_text(json.dumps(columns), encoding="utf-8")
    first, second = mv.read(tmp_path / "records.json"), mv.read(tmp_path / "columns.json")
    assert first.equals(second)
    assert first.schema["day"] == pl.Date
    assert first["town"].to_list() == [None, "Soria"]
    few = mv.read(tmp_path / "columns.json", columns=["age"])
    assert few.columns == ["age"]


def test_what_is_written_is_an_array_of_records_and_comes_back(tmp_path: Path) -> None:
    from microveil.files import write

    target = tmp_path / "people.json"
    write(FRAME, target, keep_order=True)
    records = json.loads(target.read_text(encoding="utf-8"))
    assert [record["age"] for record in records] == [31, 40, None]
    assert mv.read(target).equals(FRAME)


def test_an_empty_table_is_an_empty_array(tmp_path: Path) -> None:
    from microveil.files import write

    target = tmp_path / "none.json"
    write(FRAME.head(0), target, keep_order=True)
    assert json.loads(target.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[1, 2]", "neither records"),
        ('{"a": 1}', "neither records"),
        ('{"a": [1], "b": [1, 2]}', "same length"),
        ('[{"a": 1},\n{"secret": ]', "not valid JSON at line 2"),
        ("", "is empty"),
    ],
)
def test_other_shapes_are_refused_without_a_cell(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "odd.json").write_text(text, encoding="utf-8")
    with pytest.raises(mv.FileError, match=told) as caught:
        mv.read(tmp_path / "odd.json")
    assert "secret" not in str(caught.value)
