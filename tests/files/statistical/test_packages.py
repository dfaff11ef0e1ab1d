from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest
from polars.testing import assert_frame_equal

from microveil.errors import FileError
from microveil.files import Labels, read, read_labelled, read_labels, write

FRAME = pl.DataFrame({"sex": [1, 2, None], "age": [34, 36, 51], "town": ["B", "K", None]})
LABELS = Labels(
    columns={"sex": "Sex of respondent", "town": "Where do you live?"},
    values={"sex": {1: "male", 2: "female", 9: "no answer"}},
    title="A survey",
)


@pytest.mark.parametrize("name", ["t.sav", "t.zsav", "t.dta"])
def test_labels_survive_a_round_trip(name: str, tmp_path: Path) -> None:
    first, second = tmp_path / name, tmp_path / f"again.{name}"
    write(FRAME, first, labels=LABELS, keep_order=True)
    frame, labels = read_labelled(first)
    assert_frame_equal(frame, FRAME)
    assert labels == LABELS
    report = write(frame, second, labels=read_labels(first), keep_order=True)
    assert read_labelled(second)[1] == LABELS
    assert report.labels_dropped == ()


def test_text_codes_keep_their_labels_in_spss(tmp_path: Path) -> None:
    labels = Labels(values={"town": {"B": "Berlin"}})
    write(FRAME, tmp_path / "t.sav", labels=labels)
    assert read_labels(tmp_path / "t.sav").values == {"town": {"B": "Berlin"}}


def test_labels_move_between_packages(tmp_path: Path) -> None:
    write(FRAME, tmp_path / "t.sav", labels=LABELS)
    frame, labels = read_labelled(tmp_path / "t.sav")
    write(frame, tmp_path / "t.dta", labels=labels)
    assert read_labels(tmp_path / "t.dta") == LABELS


@pytest.mark.parametrize(
    "changed", [pl.Series("sex", ["[1,2]"] * 3), pl.Series("sex", [1.37, 2.0, None])]
)
@pytest.mark.parametrize("name", ["t.sav", "t.dta"])
def test_value_labels_go_when_the_codes_no_longer_fit(
    name: str, changed: pl.Series, tmp_path: Path
) -> None:
    report = write(FRAME.with_columns(changed), tmp_path / name, labels=LABELS)
    labels = read_labels(tmp_path / name)
    assert labels.values == {}
    assert labels.columns["sex"] == "Sex of respondent"
    assert report.labels_dropped == ("sex",)


def test_labels_of_dropped_columns_go_with_them(tmp_path: Path) -> None:
    write(FRAME.drop("sex"), tmp_path / "t.sav", labels=LABELS)
    assert read_labels(tmp_path / "t.sav").columns == {"town": "Where do you live?"}


def test_other_formats_have_no_labels(tmp_path: Path) -> None:
    write(FRAME, tmp_path / "t.csv", labels=LABELS)
    assert not read_labels(tmp_path / "t.csv")
    assert read_labelled(tmp_path / "t.csv")[1] == Labels()


@pytest.mark.parametrize("name", ["t.sav", "t.dta"])
def test_large_whole_numbers_stay_whole(name: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [2**40, 7, None]})
    write(frame, tmp_path / name, keep_order=True)
    assert_frame_equal(read(tmp_path / name), frame)


def test_values_declared_missing_are_read_as_missing(tmp_path: Path) -> None:
    pyreadstat.write_sav(
        pl.DataFrame({"income": [100.0, -9.0]}), tmp_path / "t.sav", missing_ranges={"income": [-9]}
    )
    assert read(tmp_path / "t.sav")["income"].to_list()[1] is None


@pytest.mark.parametrize(("name", "title"), [("t.sav", "SPSS"), ("t.dta", "Stata")])
def test_names_a_package_cannot_take_are_told(name: str, title: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=f"{title} does not allow the column name '1 bad'"):
        write(pl.DataFrame({"1 bad": [1], "good": [2]}), tmp_path / name)


@pytest.mark.parametrize("name", ["t.sav", "t.dta", "t.sas7bdat"])
def test_broken_files_are_told(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"nothing of the kind")
    with pytest.raises(FileError, match="cannot be read as"):
        read(tmp_path / name)


def test_sas_files_are_only_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"SAS files can only be read\. Write one of: CSV"):
        write(FRAME, tmp_path / "t.sas7bdat")


def test_sas_files_go_through_their_own_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No library writes SAS files, so the reader is stood in for by that of SPSS.
    write(FRAME, tmp_path / "t.sav", labels=LABELS, keep_order=True)
    (tmp_path / "t.sav").rename(tmp_path / "t.sas7bdat")

    def stand_in(path: str, **options: Any) -> Any:
        return pyreadstat.read_sav(path, **options)

    monkeypatch.setattr(pyreadstat, "read_sas7bdat", stand_in)
    frame, labels = read_labelled(tmp_path / "t.sas7bdat")
    assert_frame_equal(frame, FRAME)
    assert labels.columns == LABELS.columns
