from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl
import pytest
import xlsxwriter

from microveil.errors import FileError
from microveil.files import read, write
from microveil.files.sheets import excel


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        first, second = book.add_worksheet("people"), book.add_worksheet("towns")
        book.add_worksheet("empty")
        first.write_row(0, 0, ["age", "sex"])
        first.write_row(1, 0, [34, "f"])
        first.write_row(3, 0, [36, "m"])
        second.write_row(0, 0, ["zip"])
        second.write_row(1, 0, ["01234"])
    return path


def test_a_sheet_is_chosen_by_name_or_number(workbook: Path) -> None:
    assert read(workbook).columns == ["age", "sex"]
    assert read(workbook, sheet="towns")["zip"].to_list() == ["01234"]
    assert read(workbook, sheet=2).columns == ["zip"]


def test_wholly_empty_rows_are_no_records(workbook: Path) -> None:
    assert read(workbook).rows() == [(34, "f"), (36, "m")]


def test_a_wrong_sheet_gets_a_hint(workbook: Path) -> None:
    with pytest.raises(FileError, match=r"Did you mean 'towns'\? Sheets: 'people', 'towns'"):
        read(workbook, sheet="town")
    with pytest.raises(FileError, match="No sheet '9'"):
        read(workbook, sheet=9)
    with pytest.raises(FileError, match="is empty"):
        read(workbook, sheet="empty")


def test_double_names_are_refused_and_similar_ones_are_not(tmp_path: Path) -> None:
    for names, fine in ((["age", "age"], False), (["age", "age_1"], True)):
        with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
            sheet = book.add_worksheet()
            sheet.write_row(0, 0, names)
            sheet.write_row(1, 0, [1, 2])
        if fine:
            assert read(tmp_path / "t.xlsx").columns == names
        else:
            with pytest.raises(FileError, match="'age' occurs more than once"):
                read(tmp_path / "t.xlsx")


def test_a_late_text_among_numbers_is_kept(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        sheet = book.add_worksheet()
        sheet.write_column(0, 0, ["x", *range(3000), "late"])
    assert read(tmp_path / "t.xlsx")["x"][-1] == "late"


def test_more_rows_than_a_sheet_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(excel, "MOST_ROWS", 4)
    write(pl.DataFrame({"x": range(3)}), tmp_path / "t.xlsx")
    with pytest.raises(FileError, match=r"at most 3 records\. Write CSV or Parquet"):
        write(pl.DataFrame({"x": range(4)}), tmp_path / "u.xlsx")
    assert not (tmp_path / "u.xlsx").exists()
    assert excel.MOST_ROWS == 4


def test_a_frame_of_more_than_a_million_rows_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="1,048,575 records"):
        write(pl.DataFrame({"x": pl.zeros(1_048_576, eager=True)}), tmp_path / "t.xlsx")


def test_digits_that_a_spreadsheet_would_lose_are_written_as_text_and_said(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [1234567890123456789, 5]})
    report = write(frame, tmp_path / "t.xlsx", keep_order=True)
    assert read(tmp_path / "t.xlsx")["id"].to_list() == ["1234567890123456789", "5"]
    assert report.changed == ("Column 'id': 1 cell of more than 15 digits became text.",)


@pytest.mark.parametrize(
    "early", [dt.date(1850, 5, 6), dt.datetime(1900, 2, 28, 12, tzinfo=dt.UTC)]
)
def test_dates_before_a_sheets_calendar_are_refused(early: dt.date, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="1 dates before March 1900 in column 'born'"):
        write(pl.DataFrame({"born": [early, None], "x": [1, 2]}), tmp_path / "t.xlsx")
    write(pl.DataFrame({"born": [dt.date(1900, 3, 1)]}), tmp_path / "t.xlsx")
    assert read(tmp_path / "t.xlsx")["born"].to_list() == [dt.date(1900, 3, 1)]


@pytest.mark.parametrize("name", ["t.xlsx", "t.ods"])
@pytest.mark.parametrize("place", range(4))
def test_records_without_a_value_are_refused_wherever_they_stand(
    name: str, place: int, tmp_path: Path
) -> None:
    cells = [1, 2, 3, None]
    cells.insert(place, cells.pop())
    frame = pl.DataFrame({"x": cells, "s": ["" if cell is None else "a" for cell in cells]})
    with pytest.raises(FileError, match="the 1 record in which every cell is missing"):
        write(frame, tmp_path / name, keep_order=True)
    assert not (tmp_path / name).exists()


def test_a_text_too_long_for_a_cell_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="1 cells of column 's' are longer"):
        write(pl.DataFrame({"s": ["x" * 32_768]}), tmp_path / "t.xlsx")


def test_a_sheet_gets_the_name_asked_for(tmp_path: Path) -> None:
    write(pl.DataFrame({"x": [1]}), tmp_path / "t.xlsx", sheet="Öffentlich")
    assert read(tmp_path / "t.xlsx", sheet="Öffentlich")["x"].item() == 1
    with pytest.raises(FileError, match="cannot be a sheet's name"):
        write(pl.DataFrame({"x": [1]}), tmp_path / "t.xlsx", sheet="a/b")


def test_a_broken_workbook_is_told(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(b"PK nothing")
    with pytest.raises(FileError, match="cannot be read as XLSX"):
        read(tmp_path / "t.xlsx")
