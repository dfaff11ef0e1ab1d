"""ODS, the sheets of LibreOffice: read like XLSX, written row by row as XML (OpenDocument 1.3)."""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import quoteattr

import polars as pl

from microveil.errors import FileError
from microveil.files.options import WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import as_stored
from microveil.files.sheets import excel
from microveil.files.sources import refuse, refuse_characters, refuse_infinite

TITLE = "ODS"
load = excel.load

_MEDIA = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = "".join(
    f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
    for short in ("office", "table", "text")
)
_START = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MANIFEST = (
    f'{_START}<manifest:manifest manifest:version="1.3" '
    'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_MEDIA}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>"
)
_BEFORE = (
    f'{_START}<office:document-content{_NAMES} office:version="1.3">'
    "<office:body><office:spreadsheet><table:table table:name="
)
_AFTER = "</table:table></office:spreadsheet></office:body></office:document-content>"
_UNPRINTABLE = "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
"""Characters that XML cannot hold."""


@contextmanager
def sink(path: Path, schema: pl.Schema, options: WriteOptions, _placing: Placing) -> Iterator[Sink]:
    """Append frames to the one sheet of a new file.

    Whole numbers beyond 15 digits, times of day and durations, which sheets would change, are
    written as text; a timestamp with a time zone as its UTC time.
    """
    refuse(schema, TITLE)
    if len(schema) > excel.MOST_COLUMNS:
        raise FileError(
            "ODS holds at most {most_columns} columns, not {n_schema}.",
            most_columns=excel.MOST_COLUMNS,
            n_schema=len(schema),
        )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        # The media type comes first, and as it is, so that the file can be told by its beginning.
        archive.writestr("mimetype", _MEDIA, zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", _MANIFEST)
        with archive.open("content.xml", "w", force_zip64=True) as content:
            yield Sink(_Sheet(content, options.get("sheet") or "Data", schema).append)
            content.write(_AFTER.encode())


class _Sheet:
    """The rows of one sheet, written from top to bottom."""

    def __init__(self, content: IO[bytes], name: str, schema: pl.Schema) -> None:
        self._content, self._n_rows = content, 0
        content.write(f"{_BEFORE}{quoteattr(name)}>".encode())
        header = pl.DataFrame([[name] for name in schema.names()], orient="col")
        self._write(header)

    def append(self, frame: pl.DataFrame) -> None:
        """Write the rows below those already there."""
        refuse_many(self._n_rows + frame.height)
        self._n_rows += frame.height
        refuse_infinite(frame, TITLE)
        told = to_stored(frame)
        excel.refuse_empty(told, TITLE)
        self._write(told)

    def _write(self, frame: pl.DataFrame) -> None:
        refuse_characters(frame, TITLE, _UNPRINTABLE)
        cells = pl.concat_str(_cell(pl.col(name), dtype) for name, dtype in frame.schema.items())
        row = pl.concat_str(pl.lit("<table:table-row>"), cells, pl.lit("</table:table-row>\n"))
        self._content.write("".join(frame.select(row).to_series()).encode())


def refuse_many(n_records: int) -> None:
    """Raise an error if a sheet has too few rows for the records and their header."""
    if n_records >= excel.MOST_ROWS:
        most = excel.MOST_ROWS - 1
        raise FileError(
            "ODS holds at most {most:,} records. Write CSV or Parquet instead.", most=most
        )


def _cell(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """The cell as XML; a missing one is empty."""
    if dtype == pl.Boolean:
        filled = _element("boolean", "boolean-value", column.cast(pl.String))
    elif dtype in (pl.Date, pl.Datetime):
        filled = _element("date", "date-value", column.dt.to_string("iso:strict"))
    elif dtype.is_integer():
        small = column.cast(pl.Float64).abs() < excel.MOST_DIGITS
        text = column.cast(pl.String)
        filled = pl.when(small).then(_element("float", "value", text)).otherwise(_text(text))
    elif dtype.is_numeric():
        filled = _element("float", "value", column.cast(pl.String))
    else:
        filled = _text(column.cast(pl.String))
    return filled.fill_null("<table:table-cell/>")


def _element(kind: str, attribute: str, value: pl.Expr, inside: pl.Expr | None = None) -> pl.Expr:
    start = f'<table:table-cell office:value-type="{kind}" office:{attribute}="'
    if inside is None:
        return pl.concat_str(pl.lit(start), value, pl.lit('"/>'))
    return pl.concat_str(pl.lit(start), value, pl.lit('">'), inside, pl.lit("</table:table-cell>"))


def _text(column: pl.Expr) -> pl.Expr:
    """Text twice: exactly as the value, and as the paragraphs that are shown."""
    escaped = column
    for character, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        escaped = escaped.str.replace_all(character, name, literal=True)
    value = escaped
    for character in ("\t", "\n", "\r"):
        value = value.str.replace_all(character, f"&#{ord(character)};", literal=True)
    shown = escaped.str.replace_all("\r", "", literal=True)
    shown = shown.str.replace_all("\t", "<text:tab/>", literal=True)
    shown = shown.str.replace_all("\n", "</text:p><text:p>", literal=True)
    paragraphs = pl.concat_str(pl.lit("<text:p>"), shown, pl.lit("</text:p>"))
    return _element("string", "string-value", value, paragraphs)


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as such a sheet holds it: as XLSX does, but times and durations as text."""
    told = excel.to_stored(frame)
    spans = [name for name, dtype in told.schema.items() if dtype in (pl.Time, pl.Duration)]
    return told.with_columns(pl.col(name).dt.to_string("iso") for name in spans)


def back(path: Path, schema: pl.Schema, _options: WriteOptions) -> pl.DataFrame:
    """A file written by this module, with the types it was written with."""
    import fastexcel

    logging.getLogger("fastexcel").setLevel(logging.ERROR)
    kinds: dict[str | int, Any] = {name: _sheet_type(dtype) for name, dtype in schema.items()}
    loaded = fastexcel.read_excel(str(path)).load_sheet(0, dtypes=kinds, schema_sample_rows=None)
    return as_stored(loaded.to_polars(), schema)


def _sheet_type(dtype: pl.DataType) -> str:
    if dtype == pl.Boolean:
        return "boolean"
    # Whole numbers may be text there; dates come as they are written.
    return "float" if dtype.is_float() else "string"
