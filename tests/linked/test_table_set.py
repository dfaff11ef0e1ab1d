from __future__ import annotations

import sqlite3
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError
from microveil.linked import TableSet

FRAMES = {"people": pl.DataFrame({"id": [1, 2]}), "visits": pl.DataFrame({"people_id": [1, 1]})}


def heights(tables: TableSet) -> dict[str, int]:
    return {name: frame.height for name, frame in tables.tables.items()}


def test_a_folder_has_a_table_in_each_file(tmp_path: Path) -> None:
    mv.write(FRAMES["people"], tmp_path / "people.csv")
    mv.write(FRAMES["visits"], tmp_path / "visits.parquet")
    read = TableSet.read(tmp_path)
    assert heights(read) == {"people": 2, "visits": 2}
    assert [str(one) for one in read.propose_links()] == ["visits.people_id -> people.id"]
    assert "visits" in repr(read)


def test_a_workbook_has_a_table_in_each_sheet(tmp_path: Path) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(tmp_path / "both.xlsx") as book:
        for name, frame in FRAMES.items():
            frame.write_excel(book, worksheet=name)
    assert heights(TableSet.read(tmp_path / "both.xlsx")) == {"people": 2, "visits": 2}


def test_databases_have_their_tables(tmp_path: Path) -> None:
    place = tmp_path / "both.sqlite"
    with sqlite3.connect(place) as connection:
        connection.execute("create table people (id integer)")
        connection.execute("insert into people values (1), (2)")
        connection.execute("create table visits (people_id integer)")
    connection.close()
    assert heights(TableSet.read(place)) == {"people": 2, "visits": 0}
    assert heights(TableSet.read(f"sqlite:///{place}")) == {"people": 2, "visits": 0}


def test_what_holds_no_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="Found 0 files"):
        TableSet.read(tmp_path)
    with pytest.raises(FileError, match="read from a folder"):
        TableSet.read(tmp_path / "nothing.csv")
