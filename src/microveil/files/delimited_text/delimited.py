"""CSV and its relatives: separator, encoding, decimal mark and types are detected, or given."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import polars as pl

from microveil.errors import FileError
from microveil.files.columns.column_reading import ColumnReading
from microveil.files.columns.column_types import TEXT, Kind, possible_kinds, survey
from microveil.files.delimited_text.rows import regular, tidied
from microveil.files.delimited_text.sniffing import (
    TextFile,
    decoded,
    not_in_encoding,
    one_separator,
    separator_of,
    suggested_encoding,
    text_file,
)
from microveil.files.options import ReadOptions, TypeName, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import from_text, plain
from microveil.files.sources import chosen, distinct, existing, reading, refuse

TITLE = "CSV"


def load(path: Path, options: ReadOptions) -> pl.LazyFrame:
    """A plan that reads the file; types are determined by a first pass over all rows."""
    with reading(path, TITLE):
        file = text_file(existing(path), options.get("encoding"))
        separator = one_separator(options.get("separator") or _usual(path, file.head))
        names = header(file, separator)
        file, kinds = _surveyed(file, separator, names, options)
    types = options.get("types") or {}
    wanted = chosen(names, options.get("columns"), path)
    seen = [kind for name, kind in kinds.items() if name not in types]
    comma = _decimal_comma(seen, separator, options.get("decimal"))
    for name in chosen(names, list(types), path):
        kinds[name] = _as_asked(types[name], kinds[name], comma=comma)
    texts = _texts(file, separator, names)
    return texts.select(kinds[name].value(pl.col(name)).alias(name) for name in wanted)


def _decimal_comma(kinds: Sequence[Kind], separator: str, said: str | None) -> bool:
    """Whether the file's decimal mark is a comma: said, seen, or usual with such a separator."""
    points = any(kind.name == "number" for kind in kinds)
    return said == "," or (said is None and separator != "," and not points)


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
        raise FileError(f"{file.path} has no column names in its first line. Add a header.")
    if len(names) == 1 and "\0" in names[0]:
        raise FileError(f"{file.path} is not text. Give its format, or its encoding.")
    named = [name or f"column_{place}" for place, name in enumerate(names, start=1)]
    return distinct(named, file.path)


def _usual(path: Path, head: str) -> str:
    return "\t" if ".tsv" in path.suffixes or ".tab" in path.suffixes else separator_of(head)


def _texts(file: TextFile, separator: str, names: list[str]) -> pl.LazyFrame:
    return pl.scan_csv(
        file.source,
        separator=separator,
        has_header=False,
        skip_rows=1,
        schema=dict.fromkeys(names, pl.String),
        raise_if_empty=False,
        glob=False,
    )


def _surveyed(
    file: TextFile, separator: str, names: list[str], options: ReadOptions
) -> tuple[TextFile, dict[str, Kind]]:
    """Types of the columns, after repairing what the fast reader cannot handle."""
    marks = options.get("decimal") or ("." if separator == "," else ".,")
    if marks not in (".", ",", ".,"):
        raise FileError("The decimal mark is '.' or ','.")

    def look(candidate: TextFile) -> tuple[dict[str, Kind], int]:
        texts = _texts(candidate, separator, names)
        return survey(texts, names, possible_kinds(marks, dates=options.get("dates") is not False))

    try:
        kinds, n_missing = look(file)
    except pl.exceptions.PolarsError:
        file = _in_utf8(file, options.get("encoding"))
        doubtful = True
    else:
        # The reader silently fills short rows and blank lines with missing cells.
        doubtful = n_missing > 0 and len(names) > 1
    if doubtful:
        with file.open() as raw:
            fits = regular(raw, separator, len(names))
        if not fits:
            with file.open() as raw:
                file = replace(file, source=tidied(raw, file.path, separator))
        kinds, _ = look(file)
    return file, kinds


def _in_utf8(file: TextFile, encoding: str | None) -> TextFile:
    """The same file, decoded again if a later part shows that it is not UTF-8."""
    with file.open() as raw:
        whole = raw.read()
    try:
        whole.decode()
    except UnicodeDecodeError:
        if encoding:
            raise not_in_encoding(file.path, encoding) from None
        return decoded(file.path, suggested_encoding(whole))
    return file


@contextmanager
def sink(path: Path, schema: pl.Schema, options: WriteOptions, _placing: Placing) -> Iterator[Sink]:
    """Append frames to a new file; durations are written in ISO 8601 (``PT1H30M``)."""
    refuse(schema, TITLE)
    separator, decimal, encoding = _dialect(path, options)

    with _created(path) as file:

        def append(frame: pl.DataFrame, *, head: bool = False) -> None:
            frame.select(_written(name, dtype) for name, dtype in frame.schema.items()).write_csv(
                file,
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
        raise FileError(f"Decimal mark '{decimal}' does not go with separator '{separator}'.")
    encoding = options.get("encoding") or "utf-8"
    if encoding not in ("utf-8", "utf-8-sig"):
        raise FileError(f"CSV is written as 'utf-8' or 'utf-8-sig', not as '{encoding}'.")
    return separator, decimal, encoding


def stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as the file holds it: categories and durations as text."""
    return plain(frame.select(_written(name, dtype) for name, dtype in frame.schema.items()), {})


def back(path: Path, schema: pl.Schema, options: WriteOptions) -> pl.LazyFrame:
    """A plan that reads a file written by this module, with the types it was written with."""
    separator, decimal, _ = _dialect(path, options)
    names = header(text_file(path, "utf-8"), separator)
    texts = _texts(TextFile(path, path, "utf-8", ""), separator, names)
    return texts.select(
        _marked(pl.col(name), schema[name], decimal).alias(name) for name in names if name in schema
    )


def _marked(text: pl.Expr, dtype: pl.DataType, decimal: str) -> pl.Expr:
    marked = decimal == "," and (dtype.is_float() or dtype.is_decimal())
    return from_text(text.str.replace(",", ".", literal=True) if marked else text, dtype)


def _written(name: str, dtype: pl.DataType) -> pl.Expr:
    column = pl.col(name)
    return column.dt.to_string("iso") if dtype == pl.Duration else column


def _written_separator(path: Path) -> str:
    return "\t" if {".tsv", ".tab"} & set(path.suffixes) else ","


@contextmanager
def _created(path: Path) -> Iterator[BinaryIO]:
    with path.open("wb") as raw:
        if ".gz" not in path.suffixes:
            yield raw
            return
        with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as packed:
            yield packed  # type: ignore[misc] # a GzipFile takes bytes like any binary file
