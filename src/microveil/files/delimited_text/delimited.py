"""CSV and its relatives: separator, encoding, decimal mark and types are detected, or given."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

import polars as pl

from microveil.errors import FileError
from microveil.files.columns.column_reading import ColumnReading
from microveil.files.columns.column_types import TEXT, Kind, possible_kinds, survey
from microveil.files.columns.derived_columns import types_in_file
from microveil.files.delimited_text.rows import regular, tidy_rows
from microveil.files.delimited_text.sniffing import (
    TextFile,
    decode_file,
    not_in_encoding,
    one_separator,
    separator_of,
    suggested_encoding,
    text_file,
)
from microveil.files.folders import files_of, same_columns
from microveil.files.options import ReadOptions, TypeName, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import from_text, plain
from microveil.files.sources import choose_columns, distinct, reading, refuse

TITLE = "CSV"
_CODE_PAGES = ("iso8859", "cp125", "koi8")
"""How the names of code pages of single bytes begin, as Python spells them."""


def load(path: Path, options: ReadOptions) -> pl.LazyFrame:
    """A plan that reads the file; types are determined by a first pass over all rows.

    Those of a folder's files are determined over all of them, as if they were one.
    """
    with reading(path, TITLE):
        headed = [_read_header(file, options) for file in files_of(path)]
        names = same_columns((one.file.path, dict.fromkeys(one.names)) for one in headed)
        headed, kinds = _survey(headed, names, options)
    types = types_in_file(options.get("types"))
    wanted = choose_columns(names, options.get("columns"), path)
    seen = [kind for name, kind in kinds.items() if name not in types]
    comma = _decimal_comma(seen, headed, options.get("decimal"))
    for name in choose_columns(names, list(types), path):
        kinds[name] = _as_asked(types[name], kinds[name], comma=comma)
    texts = _texts(headed, names)
    return texts.select(kinds[name].value(pl.col(name)).alias(name) for name in wanted)


@dataclass(frozen=True)
class _Headed:
    """A text file, its separator, and the columns that its first line names."""

    file: TextFile
    separator: str
    names: list[str]

    @property
    def alike(self) -> tuple[object, ...]:
        """What files that are read by one scan have in common."""
        packed = isinstance(self.file.source, Path) and self.file.source.suffix == ".gz"
        return self.separator, tuple(self.names), type(self.file.source), packed


def _by_commas(headed: Sequence[_Headed]) -> bool:
    """Whether commas separate the cells of a file."""
    return any(one.separator == "," for one in headed)


def _read_header(path: Path, options: ReadOptions) -> _Headed:
    with reading(path, TITLE):
        file = text_file(path, options.get("encoding"))
        separator = one_separator(options.get("separator") or _usual(path, file.head))
        return _Headed(file, separator, header(file, separator))


def headings(path: Path) -> tuple[str, list[str]]:
    """The separator of a text file, and the names of its columns."""
    headed = _read_header(path, {})
    return headed.separator, headed.names


def _decimal_comma(kinds: Sequence[Kind], headed: Sequence[_Headed], said: str | None) -> bool:
    """Whether the file's decimal mark is a comma: said, seen, or usual with such a separator."""
    points = any(kind.name == "number" for kind in kinds)
    return said == "," or (said is None and not _by_commas(headed) and not points)


def _as_asked(wanted: TypeName, found: Kind, *, comma: bool) -> Kind:
    """Text where a type was asked for, so that it is read from the cells as they are."""
    if not isinstance(wanted, ColumnReading):
        return TEXT
    if wanted.becomes is None:
        return found
    if comma and wanted.becomes == "number":
        return replace(TEXT, value=lambda text: text.str.replace(",", ".", literal=True))
    return TEXT


def header(file: TextFile, separator: str) -> list[str]:
    """Names of the columns; an unnamed column is called after its position, ``column_3``."""
    rows = csv.reader(io.StringIO(file.head, newline=""), delimiter=separator)
    try:
        names = next((row for row in rows), [])
    except csv.Error:
        names = []
    if not any(name.strip() for name in names):
        raise FileError(
            "{path} has no column names in its first line. Add a header.", path=file.path
        )
    if len(names) == 1 and "\0" in names[0]:
        raise FileError("{path} is not text. Give its format, or its encoding.", path=file.path)
    named = [name or f"column_{place}" for place, name in enumerate(names, start=1)]
    return distinct(named, file.path)


def _usual(path: Path, head: str) -> str:
    return "\t" if ".tsv" in path.suffixes or ".tab" in path.suffixes else separator_of(head)


def _texts(headed: list[_Headed], names: list[str]) -> pl.LazyFrame:
    """The cells of all files as text, file after file, with the columns in one order."""
    runs = [list(run) for _, run in groupby(headed, key=lambda one: one.alike)]
    scans = [
        pl.scan_csv(
            [one.file.source for one in run],  # type: ignore[arg-type]  # all paths, or all bytes
            separator=run[0].separator,
            has_header=False,
            skip_rows=1,
            schema=dict.fromkeys(run[0].names, pl.String),
            raise_if_empty=False,
            glob=False,
        ).select(names)
        for run in runs
    ]
    return scans[0] if len(scans) == 1 else pl.concat(scans)


def _survey(
    headed: list[_Headed], names: list[str], options: ReadOptions
) -> tuple[list[_Headed], dict[str, Kind]]:
    """Types of the columns, after repairing what the fast reader cannot handle."""
    marks = options.get("decimal") or ("." if _by_commas(headed) else ".,")
    if marks not in (".", ",", ".,"):
        raise FileError("The decimal mark is '.' or ','.")

    def look(candidates: list[_Headed]) -> tuple[dict[str, Kind], int]:
        texts = _texts(candidates, names)
        return survey(texts, names, possible_kinds(marks, dates=options.get("dates") is not False))

    try:
        kinds, n_missing = look(headed)
    except pl.exceptions.PolarsError:
        encoding = options.get("encoding")
        headed = [replace(one, file=_in_utf8(one.file, encoding)) for one in headed]
        doubtful = True
    else:
        # The reader silently fills short rows and blank lines with missing cells, which only the
        # last column of a file shows.
        reordered = any(one.names != names for one in headed)
        doubtful = len(names) > 1 and (n_missing > 0 or reordered)
    if doubtful:
        headed = [_tidy_file(one) for one in headed]
        kinds, _ = look(headed)
    return headed, kinds


def _tidy_file(headed: _Headed) -> _Headed:
    """The file, with its rows rewritten in memory if they are not regular."""
    file = headed.file
    with reading(file.path, TITLE):
        with file.open() as raw:
            if regular(raw, headed.separator, len(headed.names)):
                return headed
        with file.open() as raw:
            source = tidy_rows(raw, file.path, headed.separator)
    return replace(headed, file=replace(file, source=source))


def _in_utf8(file: TextFile, encoding: str | None) -> TextFile:
    """The same file, decoded again if a later part shows that it is not UTF-8."""
    with file.open() as raw:
        whole = raw.read()
    try:
        whole.decode()
    except UnicodeDecodeError:
        if encoding:
            raise not_in_encoding(file.path, encoding) from None
        return decode_file(file.path, suggested_encoding(whole))
    return file


@contextmanager
def sink(path: Path, schema: pl.Schema, options: WriteOptions, _placing: Placing) -> Iterator[Sink]:
    """Append frames to a new file; durations are written in ISO 8601 (``PT1H30M``)."""
    refuse(schema, TITLE)
    separator, decimal, encoding = _dialect(path, options)

    with _create(path) as file:

        def append(frame: pl.DataFrame, *, head: bool = False) -> None:
            written = frame.select(
                _write_column(name, dtype) for name, dtype in frame.schema.items()
            )
            with _encoded(file, encoding) as target:
                written.write_csv(
                    target,
                    separator=separator,
                    decimal_comma=decimal == ",",
                    include_header=head,
                    include_bom=head and encoding == "utf-8-sig",
                )

        append(pl.DataFrame(schema=schema), head=True)
        yield Sink(append)


def _dialect(path: Path, options: WriteOptions) -> tuple[str, str, str]:
    """Separator, decimal mark and encoding for writing a file."""
    separator = one_separator(options.get("separator") or _written_separator(path))
    decimal = options.get("decimal") or "."
    if decimal == separator or decimal not in ".,":
        raise FileError(
            "Decimal mark '{decimal}' does not go with separator '{separator}'.",
            decimal=decimal,
            separator=separator,
        )
    return separator, decimal, _written_encoding(options.get("encoding") or "utf-8")


def _written_encoding(encoding: str) -> str:
    """A code page of single bytes, or UTF-8: encodings in which a file can be appended to."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        name = ""
    if name not in ("utf-8", "utf-8-sig") and not name.startswith(_CODE_PAGES):
        raise FileError(
            "CSV is written as 'utf-8', 'utf-8-sig' or in a code page such as "
            "'windows-1252', not as '{encoding}'.",
            encoding=encoding,
        )
    return name


@contextmanager
def _encoded(file: BinaryIO, encoding: str) -> Iterator[BinaryIO]:
    """Where UTF-8 is written to, so that the file holds it in another encoding."""
    if encoding.startswith("utf-8"):
        yield file
        return
    with io.BytesIO() as buffer:
        yield buffer
        text = buffer.getvalue().decode()
    try:
        file.write(text.encode(encoding))
    except UnicodeEncodeError:
        raise FileError(
            "Some text has characters that '{encoding}' does not have. Write it as 'utf-8'.",
            encoding=encoding,
        ) from None


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as the file holds it: categories and durations as text."""
    return plain(
        frame.select(_write_column(name, dtype) for name, dtype in frame.schema.items()), {}
    )


def back(path: Path, schema: pl.Schema, options: WriteOptions) -> pl.LazyFrame:
    """A plan that reads a file written by this module, with the types it was written with."""
    separator, decimal, encoding = _dialect(path, options)
    file = text_file(path, encoding)
    names = header(file, separator)
    texts = _texts([_Headed(file, separator, names)], names)
    return texts.select(
        _parse_marked(pl.col(name), schema[name], decimal).alias(name)
        for name in names
        if name in schema
    )


def _parse_marked(text: pl.Expr, dtype: pl.DataType, decimal: str) -> pl.Expr:
    marked = decimal == "," and (dtype.is_float() or dtype.is_decimal())
    return from_text(text.str.replace(",", ".", literal=True) if marked else text, dtype)


def _write_column(name: str, dtype: pl.DataType) -> pl.Expr:
    column = pl.col(name)
    return column.dt.to_string("iso") if dtype == pl.Duration else column


def _written_separator(path: Path) -> str:
    return "\t" if {".tsv", ".tab"} & set(path.suffixes) else ","


@contextmanager
def _create(path: Path) -> Iterator[BinaryIO]:
    with path.open("wb") as raw:
        if ".gz" not in path.suffixes:
            yield raw
            return
        with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as packed:
            yield packed  # type: ignore[misc] # a GzipFile takes bytes like any binary file
