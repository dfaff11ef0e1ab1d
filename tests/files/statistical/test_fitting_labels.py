from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.errors import FileError
from microveil.files import Labels, read_labels, write
from microveil.files.labels import Code
from microveil.files.statistical.fitting_labels import fit_labels

FRAME = pl.DataFrame({"x": [1, 2], "s": ["a", "b"]})


@pytest.mark.parametrize("name", ["t.sav", "t.zsav", "t.dta"])
@pytest.mark.parametrize(
    "values",
    [
        {"x": {1: "é" * 20_000 + "1", 2: "é" * 20_000 + "2"}},
        {"x": {1: "é" * 70 + "1", 2: "é" * 70 + "2"}},
        {"x": {1: "a", 2: "b"}, "s": {"a": "first", "b": "second"}},
        {"x": {1.5: "half"}},
        {"x": {2**40: "many", 1: "one"}},
    ],
)
def test_value_labels_are_in_the_file_or_listed(
    name: str, values: dict[str, dict[Code, str]], tmp_path: Path
) -> None:
    report = write(FRAME, tmp_path / name, labels=Labels(values=values))
    found = read_labels(tmp_path / name).values
    for column, codes in values.items():
        same = found.get(column) == codes
        assert same or column in report.labels_dropped or f"'{column}'" in str(report.changed)
        assert len(set(found.get(column, codes).values())) == len(set(codes.values()))


@pytest.mark.parametrize("name", ["t.sav", "t.dta"])
def test_labels_of_columns_and_files_are_cut_within_no_character_and_told(
    name: str, tmp_path: Path
) -> None:
    labels = Labels({"x": "x" + "é" * 300, "s": "short"}, title="t" + "é" * 300)
    report = write(FRAME, tmp_path / name, labels=labels)
    found = read_labels(tmp_path / name)
    assert found.columns["s"] == "short"
    assert labels.columns["x"].startswith(found.columns["x"])
    assert "The label of column 'x' was cut at the format's limit." in report.changed
    assert "The label of the file was cut at the format's limit." in report.changed


def test_what_fits_is_kept_and_nothing_is_said() -> None:
    labels = Labels({"x": "what"}, {"x": {1: "yes", 2: "yes"}}, "file")
    fitted = fit_labels(labels, FRAME, "sav")
    assert fitted.labels == labels
    assert fitted.dropped == fitted.notes == ()


@pytest.mark.parametrize(
    ("name", "column"), [("t.dta", "long"), ("t.dta", "_n"), ("t.sav", "WITH"), ("t.sav", "_x")]
)
def test_a_name_that_the_package_does_not_allow_is_named(
    name: str, column: str, tmp_path: Path
) -> None:
    with pytest.raises(FileError, match=f"'{column}'"):
        write(pl.DataFrame({column: [1]}), tmp_path / name)


def test_spss_does_not_tell_names_apart_by_case(tmp_path: Path) -> None:
    frame = pl.DataFrame({"Age": [1], "age": [2]})
    with pytest.raises(FileError, match="'Age', 'age' apart"):
        write(frame, tmp_path / "t.sav")
    write(frame, tmp_path / "t.dta")
