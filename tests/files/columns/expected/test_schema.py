"""The file that says what data should look like."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from microveil.errors import FileError, SpecError
from microveil.files.columns.expected.schema import ExpectedSchema

PLAIN: dict[str, Any] = {
    "severity": {"new_category": "note"},
    "columns": {
        "age": {"type": "integer", "at_least": 0, "at_most": 120, "missing": False},
        "seen": {"type": "date", "at_least": "2020-01-01"},
        "answer": {"type": "text", "categories": ["no", "yes", "null"]},
        "ward": {"type": "integer", "categories": [1, 2], "severity": {"new_category": "error"}},
    },
}


def test_a_schema_survives_being_written(tmp_path: Path) -> None:
    schema = ExpectedSchema.parse(PLAIN)
    schema.write(tmp_path / "schema.yaml")
    again = ExpectedSchema.read(tmp_path / "schema.yaml")
    assert again == schema
    assert again.to_dict() == PLAIN
    assert again.columns["seen"].at_least == date(2020, 1, 1)


def test_a_column_may_be_stricter_than_the_others() -> None:
    schema = ExpectedSchema.parse(PLAIN)
    assert schema.severity_of("new_category", "answer") == "note"
    assert schema.severity_of("new_category", "ward") == "error"
    assert schema.severity_of("new_column", "whatever") == "error"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "A schema is a mapping"),
        ("severity: {}", "columns: Field required"),
        ("columns: {a: {type: integr}}", "columns.a.type: Input should be 'text'"),
        ("columns: {a: {typ: text}}", "columns.a.typ: Unknown field. Did you mean 'type'"),
        ("columns: {a: {type: text, at_least: 1}}", "are numbers for numbers"),
        ("columns: {a: {type: date, at_least: 1}}", "days for dates"),
        ("{severity: {new_colum: note}, columns: {}}", "Did you mean 'new_column'"),
        (
            "columns: {a: {type: text, severity: {new_category: warn}}}",
            "'note' or 'ignore'",
        ),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_place(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "schema.yaml"
    path.write_text(text)
    with pytest.raises(SpecError, match=r"schema\.yaml: ") as told:
        ExpectedSchema.read(path)
    assert words in str(told.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="`microveil schema infer` writes one"):
        ExpectedSchema.read(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(FileError, match="not UTF-8"):
        ExpectedSchema.read(tmp_path / "bytes.yaml")
