"""An example is written as those who have such tables write it."""

from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.files import read_labelled
from microveil.studies.examples import EXAMPLES
from microveil.studies.examples.numbers import Shape


def test_a_csv_file_has_the_dialect_of_its_office_and_other_formats_their_own(
    tmp_path: Path,
) -> None:
    example = EXAMPLES["discharge"]
    frame = example.make(Shape(rows=200), 1)
    example.write(frame, tmp_path / "stays.csv")
    first, second = (tmp_path / "stays.csv").read_bytes().splitlines()[:2]
    assert first.startswith(b"episode;patient;birth;")
    assert b"," in second.split(b";")[-1]
    raw = (tmp_path / "stays.csv").read_bytes()
    assert "í".encode("latin-1") in raw
    as_text = dict.fromkeys(["postcode", "birth", "admission", "discharge"], "text")
    back = mv.read(tmp_path / "stays.csv", types=as_text)
    assert back.equals(frame)
    example.write(frame, tmp_path / "stays.parquet")
    assert mv.read(tmp_path / "stays.parquet").equals(frame)


def test_labels_are_written_beside_the_cells(tmp_path: Path) -> None:
    example = EXAMPLES["labelled_survey"]
    frame = example.make(Shape(rows=60), 1)
    for suffix in ("sav", "dta"):
        example.write(frame, tmp_path / f"survey.{suffix}")
        back, labels = read_labelled(tmp_path / f"survey.{suffix}")
        assert back.rows() == frame.rows()
        assert labels.columns == example.labels.columns
        assert labels.values["marital"][98] == "Don't know"


def test_columns_of_an_ordinary_example_are_given() -> None:
    with pytest.raises(InputError, match="Leave out --columns"):
        EXAMPLES["patients"].make(Shape(columns=2), 0)
    assert EXAMPLES["patients"].make(Shape(), 0).height == EXAMPLES["patients"].rows
