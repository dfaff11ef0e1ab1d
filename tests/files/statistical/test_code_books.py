from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError
from microveil.files.statistical.code_books import fitting_types, read_code_book

BOOK = "variable;value;label\nsex;;Sex of respondent\nsex;1;male\nsex;2;female\narea;01;North\n"


def test_a_code_book_says_what_columns_and_codes_mean(tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_text(BOOK)
    found = read_code_book(tmp_path / "book.csv")
    assert found.columns == {"sex": "Sex of respondent"}
    assert found.values == {"sex": {1: "male", 2: "female"}, "area": {"01": "North"}}


def test_data_read_with_a_code_book_have_its_labels(tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_text(BOOK)
    (tmp_path / "data.csv").write_text("sex,area\n1,01\n2,01\n")
    frame, labels = mv.read_labelled(tmp_path / "data.csv", labels=tmp_path / "book.csv")
    assert labels.tell_all(frame["sex"]).to_list() == ["1 male", "2 female"]
    assert labels.tell_all(frame["area"]).to_list() == ["01 North", "01 North"]


def test_codes_of_text_columns_are_text() -> None:
    found = fitting_types(mv.Labels(values={"a": {1: "one"}}), pl.DataFrame({"a": ["1"]}))
    assert found.values == {"a": {"1": "one"}}


def test_another_table_is_no_code_book(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("sex,area\n1,01\n")
    with pytest.raises(FileError, match="column, code and label"):
        read_code_book(tmp_path / "data.csv")
