"""Workbooks and databases offer what there is to choose from."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import polars as pl
import xlsxwriter

from microveil.web.project.sheets import sheets_of


def _book(path: Path, *names: str) -> Path:
    with xlsxwriter.Workbook(path) as book:
        for name in names:
            pl.DataFrame({"a": [1]}).write_excel(book, worksheet=name)
    return path


def test_a_workbook_with_several_sheets_offers_them(tmp_path: Path) -> None:
    path = _book(tmp_path / "b.xlsx", "Обложка", "people")
    assert sheets_of(path, "b.xlsx") == {"sheet": ["Обложка", "people"]}


def test_one_sheet_is_no_choice_and_neither_is_a_text_file(tmp_path: Path) -> None:
    assert sheets_of(_book(tmp_path / "b.xlsx", "one"), "b.xlsx") == {}
    assert sheets_of(tmp_path / "a.csv", "a.csv") == {}
    assert sheets_of(None, "a.xlsx") == {}


def test_tables_of_a_database_are_offered(tmp_path: Path) -> None:
    path = tmp_path / "d.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE a (x)")
        connection.execute("CREATE TABLE b (x)")
    connection.close()
    assert sheets_of(path, "d.sqlite") == {"table": ["a", "b"]}


def test_a_damaged_workbook_offers_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bad.xlsx"
    path.write_bytes(b"no workbook")
    assert sheets_of(path, "bad.xlsx") == {}
