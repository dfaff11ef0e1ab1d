"""XLSX: read by a Rust reader, written row by row in little memory."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, time
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError, did_you_mean
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import as_stored, in_microseconds, plain, to_milliseconds
from microveil.files.sources import (
    NO_CHARACTERS,
    choose_columns,
    distinct,
    existing,
    reading,
    refuse,
    refuse_characters,
    refuse_infinite,
)

TITLE = "XLSX"
MOST_ROWS = 1_048_576
"""Rows of a sheet, including the header."""
MOST_COLUMNS = 16_384
_MOST_CHARACTERS = 32_767
MOST_DIGITS = 10**15
"""Whole numbers from here on lose digits in a spreadsheet."""
_FIRST_DATE = date(1900, 3, 1)
"""Dates before are wrong in a sheet, whose calendar has a 29 February 1900."""
_YEAR_ZERO = 1899  # a time of day is a moment of the day before the first
_UNIX_EPOCH = 25_569
_DAY = 86_400_000_000
_FORMATS: dict[type[pl.DataType], str] = {
    pl.Date: "yyyy-mm-dd",
    pl.Datetime: "yyyy-mm-dd hh:mm:ss",
    pl.Duration: "[h]:mm:ss",
    pl.Time: "hh:mm:ss",
}


def load(path: Path, options: ReadOptions) -> pl.DataFrame:
    """One sheet; its first row holds the names, and empty rows are skipped."""
    with reading(path, "ODS" if path.suffix.lower() == ".ods" else TITLE):
        import fastexcel

        # An empty column is text here, which is no reason for a warning.
        logging.getLogger("fastexcel").setLevel(logging.ERROR)
        book = fastexcel.read_excel(str(existing(path)))
        sheet = _sheet(book.sheet_names, options.get("sheet"), path)
        loaded = book.load_sheet(sheet, schema_sample_rows=None)
        names = [column.name for column in loaded.available_columns()]
        _refuse_doubled(book, sheet, names, path)
        frame: pl.DataFrame = loaded.to_polars()
    if not names:
        raise FileError(
            "Sheet '{sheet}' of {path} is empty: it has no row of column names.",
            sheet=sheet,
            path=path,
        )
    frame = frame.select(_cast_intended(column) for column in frame.get_columns())
    if frame.width > 1:
        frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    return frame.select(choose_columns(frame.columns, options.get("columns"), path))


def _cast_intended(column: pl.Series) -> pl.Series:
    """The type that a sheet's author intended; a sheet itself knows only numbers and date-times."""
    if column.dtype == pl.Null:
        return column.cast(pl.String)
    if column.dtype == pl.Float64:
        whole = bool((column.drop_nulls() % 1 == 0).all())
        small = bool((column.abs() < MOST_DIGITS).all())
        return column.cast(pl.Int64) if whole and small else column
    if column.dtype == pl.Duration:
        return column.cast(pl.Duration("us"))
    return _dates_or_times(column) if column.dtype == pl.Datetime else column


def _dates_or_times(column: pl.Series) -> pl.Series:
    """Date-times of a sheet; those at midnight are dates, those without a date are times."""
    if bool((column.dt.year() == _YEAR_ZERO).all()) and column.count():
        return column.dt.time()
    if bool((column.dt.time() == time()).all()):
        return column.dt.date()
    return column.cast(pl.Datetime("us"))


def _sheet(names: list[str], asked: str | int | None, path: Path) -> str:
    if asked is None:
        return names[0]
    if isinstance(asked, int) and 1 <= asked <= len(names):
        return names[asked - 1]
    if asked in names:
        return str(asked)
    hint = did_you_mean(str(asked), names)
    raise FileError(
        "No sheet '{asked}' in {path}.{hint} Sheets: {names:quoted}.",
        asked=asked,
        path=path,
        hint=hint,
        names=names,
    )


def _refuse_doubled(book: Any, sheet: str, names: list[str], path: Path) -> None:
    """Check the header for duplicates, since the reader renames a second ``age`` to ``age_1``."""
    bases = {re.sub(r"_[0-9]+$", "", name) for name in names if re.search(r"_[0-9]+$", name)}
    if bases & set(names):
        first = book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_polars()
        distinct([str(name) for name in first.row(0) if name is not None], path)


@contextmanager
def sink(path: Path, schema: pl.Schema, options: WriteOptions, placing: Placing) -> Iterator[Sink]:
    """Append frames to the one sheet of a new workbook.

    Whole numbers beyond 15 digits, which a spreadsheet would change, are written as text; a
    timestamp with a time zone as its UTC time. Dates before March 1900 are refused.
    """
    refuse(schema, TITLE)
    if len(schema) > MOST_COLUMNS:
        raise FileError(
            "XLSX holds at most {most_columns} columns, not {n_schema}.",
            most_columns=MOST_COLUMNS,
            n_schema=len(schema),
        )
    import xlsxwriter
    from xlsxwriter.exceptions import XlsxFileError

    # Rows are buffered in files until the workbook is closed: beside the target, not shared.
    scratch = placing.folder(path)
    book = xlsxwriter.Workbook(str(path), {"constant_memory": True, "tmpdir": str(scratch)})
    try:
        sheet = _Sheet(book, _sheet_name(options.get("sheet") or "Data"), schema)
        yield Sink(sheet.append)
        book.close()
    except XlsxFileError as error:
        raise OSError(*getattr(error.args[0], "args", error.args)) from None
    finally:
        _let_go(book)


def _let_go(book: Any) -> None:
    """Close what a failed workbook keeps open, and stop it from saving itself when collected."""
    book.fileclosed = True
    for sheet in book.worksheets():
        rows = getattr(sheet, "row_data_fh", None)
        if rows is not None:
            rows.close()


def _sheet_name(name: str) -> str:
    if not 1 <= len(name) <= 31 or re.search(r"[\[\]:*?/\\]|^'|'$", name):  # noqa: PLR2004 - Excel's limit
        raise FileError(
            "'{name}' cannot be a sheet's name: 1 to 31 characters without [ ] : * ? / \\.",
            name=name,
        )
    return name


def refuse_many(n_records: int) -> None:
    """Raise an error if a sheet has too few rows for the records and their header."""
    if n_records >= MOST_ROWS:
        raise FileError(
            "XLSX holds at most {most:,} records. Write CSV or Parquet instead.",
            most=MOST_ROWS - 1,
        )


def _exact_sheet() -> type[Any]:
    """The writer's sheet, but with every digit of a number: its own keeps 16 of 17."""
    from xlsxwriter.worksheet import Worksheet

    class ExactSheet(Worksheet):  # type: ignore[misc]  # untyped
        def _xml_number_element(self, number: float, attributes: Any = ()) -> None:
            told = "".join(f' {name}="{value}"' for name, value in attributes)
            self.fh.write(f"<c{told}><v>{number!r}</v></c>")

    return ExactSheet


class _Sheet:
    """The rows of one sheet, written from top to bottom."""

    def __init__(self, book: Any, name: str, schema: pl.Schema) -> None:
        self._sheet = book.add_worksheet(name, worksheet_class=_exact_sheet())
        self._formats = [
            book.add_format({"num_format": _FORMATS[kind]}) if kind in _FORMATS else None
            for kind in (dtype.base_type() for dtype in schema.values())
        ]
        self._n_rows = 0
        self._write([[name] for name in schema.names()])

    def append(self, frame: pl.DataFrame) -> None:
        """Write the rows below those already there."""
        refuse_many(self._n_rows - 1 + frame.height)
        refuse_infinite(frame, TITLE)
        refuse_characters(frame, TITLE, NO_CHARACTERS)
        _refuse_long(frame)
        frame = to_stored(frame)
        refuse_empty(frame, TITLE)
        _refuse_early(frame)
        self._write([_cells(column) for column in frame.get_columns()])

    def _write(self, columns: list[list[Any]]) -> None:
        write_text, write_number = self._sheet.write_string, self._sheet.write_number
        write_truth, formats = self._sheet.write_boolean, self._formats
        for row in zip(*columns, strict=True):
            place = self._n_rows
            for column, cell in enumerate(row):
                if cell is None:
                    continue
                if isinstance(cell, str):
                    write_text(place, column, cell)
                elif isinstance(cell, bool):
                    write_truth(place, column, cell)
                else:
                    write_number(place, column, cell, formats[column])
            self._n_rows += 1


def refuse_empty(frame: pl.DataFrame, title: str) -> None:
    """Raise an error for records without a value, which no program tells from empty rows."""
    n_empty = frame.select(pl.all_horizontal(pl.all().is_null()).sum()).item() if len(frame) else 0
    if n_empty:
        raise FileError(
            "{title} cannot hold the 1 record in which every cell is missing: they would be "
            "empty rows, which are skipped on reading. Remove them, or write CSV or Parquet "
            "instead.",
            many="{title} cannot hold the {n} records in which every cell is missing: they would "
            "be empty rows, which are skipped on reading. Remove them, or write CSV or Parquet "
            "instead.",
            title=title,
            n=n_empty,
        )


def _refuse_early(frame: pl.DataFrame) -> None:
    """Raise an error for dates before those that a sheet's own calendar has right."""
    for name, dtype in frame.schema.items():
        if dtype in (pl.Date, pl.Datetime):
            n_cells = int((frame[name].dt.date() < _FIRST_DATE).sum() or 0)
            if n_cells:
                raise FileError(
                    "XLSX cannot hold the {n_cells} dates before March 1900 in column "
                    "'{name}'. Write them as text, or write ODS, CSV or Parquet instead.",
                    n_cells=n_cells,
                    name=name,
                )


def _refuse_long(frame: pl.DataFrame) -> None:
    for name in frame.select(pl.col(pl.String)).columns:
        n_cells = int((frame[name].str.len_chars() > _MOST_CHARACTERS).sum() or 0)
        if n_cells:
            raise FileError(
                "{n_cells} cells of column '{name}' are longer than XLSX allows (32,767).",
                n_cells=n_cells,
                name=name,
            )


def _cells(column: pl.Series) -> list[Any]:
    """Cells as text, numbers and booleans; times as fractional days."""
    dtype = column.dtype
    if dtype.is_integer():
        large = column.cast(pl.Float64).is_between(-MOST_DIGITS, MOST_DIGITS, closed="none").not_()
        return (
            _merge_cells(column, column.cast(pl.String), large) if large.any() else column.to_list()
        )
    if dtype in (pl.Date, pl.Datetime):
        moments = column.cast(pl.Datetime("us", getattr(dtype, "time_zone", None)))
        return (moments.to_physical() / _DAY + _UNIX_EPOCH).to_list()
    if dtype in (pl.Duration, pl.Time):
        spans = column.to_physical()
        return (spans / (_DAY * 1000 if dtype == pl.Time else _DAY)).to_list()
    if dtype.is_numeric():
        return column.cast(pl.Float64).to_list()
    return column.cast(pl.Boolean if dtype == pl.Boolean else pl.String).to_list()


def _merge_cells(numbers: pl.Series, texts: pl.Series, as_text: pl.Series) -> list[Any]:
    return [
        text if flag else number for number, text, flag in zip(numbers, texts, as_text, strict=True)
    ]


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as a sheet holds it: decimals as numbers, date-times in UTC, to the millisecond."""
    told = plain(frame, {n: pl.Float64 for n, t in frame.schema.items() if _as_number(t)})
    return told.select(_store_column(told[name], nearest=False) for name in told.columns)


def _as_number(dtype: pl.DataType) -> bool:
    return dtype.is_decimal() or dtype == pl.Float32


def _store_column(column: pl.Series, *, nearest: bool) -> pl.Series:
    if column.dtype == pl.String:
        return column.replace("", None)
    if column.dtype == pl.Datetime and getattr(column.dtype, "time_zone", None):
        column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if column.dtype in (pl.Datetime, pl.Duration, pl.Time):
        column = to_milliseconds(column, nearest=nearest)
    return column if column.dtype in (pl.Time, pl.Date) else in_microseconds(column)


def back(path: Path, schema: pl.Schema, _options: WriteOptions) -> pl.DataFrame:
    """A workbook written by this module, with the types it was written with."""
    import fastexcel

    logging.getLogger("fastexcel").setLevel(logging.ERROR)
    kinds: dict[str | int, Any] = {name: _sheet_type(dtype) for name, dtype in schema.items()}
    loaded = fastexcel.read_excel(str(path)).load_sheet(0, dtypes=kinds, schema_sample_rows=None)
    frame: pl.DataFrame = loaded.to_polars()
    days = [n for n in frame.columns if schema.get(n) == pl.Date]
    clocks = [n for n in frame.columns if schema.get(n) == pl.Time]
    # A date comes as its midnight, a time of day as a date-time on day zero.
    frame = frame.with_columns(pl.col(days).str.strip_suffix(" 00:00:00"), pl.col(clocks).dt.time())
    told = as_stored(frame, schema)
    return told.select(_store_column(told[name], nearest=True) for name in told.columns)


def _sheet_type(dtype: pl.DataType) -> str:
    if dtype == pl.Boolean:
        return "boolean"
    if dtype.is_float():
        return "float"
    if dtype == pl.Duration:
        return "duration"
    # Whole numbers and dates may be text there if a sheet would change them.
    return "datetime" if dtype == pl.Time else "string"
