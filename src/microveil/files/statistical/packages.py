"""SPSS, Stata and SAS files, with their labels.

Numbers that are all whole are read as integers if their format shows no decimals, or if they have
labels. Empty text is these packages' missing text, so it is read as missing, as are values declared
missing, whose kinds are kept beside the table. Booleans are written as 0 and 1, decimals as
floating point, durations as seconds, timestamps in UTC.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError
from microveil.files.labels import Code, Labels
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import as_stored, in_microseconds, plain, to_milliseconds
from microveil.files.sources import (
    choose_columns,
    existing,
    reading,
    refuse,
    refuse_characters,
    refuse_infinite,
    refuse_large,
)
from microveil.files.statistical.coding import decode_columns, encode_columns, with_kinds
from microveil.files.statistical.fitting_labels import fit_labels
from microveil.files.statistical.missing_kinds import without_kinds

_TITLES = {"sav": "SPSS", "dta": "Stata", "sas7bdat": "SAS"}
_WHOLE_FORMAT = re.compile(r"F\d+(\.0)?|%-?\d*\.0f|BEST\d*|\d+")
_NAMES = {"sav": (64, r"[A-Za-z@][\w.@#$]*"), "dta": (32, r"[A-Za-z_]\w*")}
_RESERVED = {
    "sav": re.compile(r"(?i:all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with)"),
    "dta": re.compile(
        r"_all|_b|_coef|_cons|_n|_N|_pi|_pred|_rc|_skip|byte|double|float|if|in|int|long|str\d*"
        r"|strL|using|with"
    ),
}
_DATE_FORMATS: dict[str, pl.DataType | type[pl.DataType]] = {
    "DATE": pl.Date,
    "ADATE": pl.Date,
    "%td": pl.Date,
    "DATETIME": pl.Datetime("us"),
}
_LONG_FORMATS = {"sav": "F20.0", "dta": "%20.0f"}
EXACT = 2**53  # whole numbers are floating point there
_INT32 = 2_147_483_600  # Stata reserves the largest few for its kinds of missing


def _kind(path: Path) -> str:
    name = path.name.lower()
    return next((kind for kind in _TITLES if f".{kind}" in name or f".z{kind}" in name), "sav")


def load(path: Path, options: ReadOptions) -> pl.DataFrame:
    """The table without its labels."""
    return load_labelled(path, options)[0]


def load_labelled(path: Path, options: ReadOptions) -> tuple[pl.DataFrame, Labels]:
    """The table and its labels."""
    names = _metadata(path).column_names
    wanted = choose_columns(list(names), options.get("columns"), path)
    with reading(path, _TITLES[_kind(path)]):
        frame, found = _reader(path)(
            str(path), output_format="polars", usecols=wanted, user_missing=True
        )
        frame, gaps = without_kinds(frame.select(wanted), found)
        told = frame.select(_plain(frame[name], found) for name in wanted)
        return told, replace(_labels(found, told), gaps=gaps)


def read_labels(path: Path) -> Labels:
    """The labels alone, without the table."""
    found = _metadata(path)
    return _labels(found, pl.DataFrame(schema=dict.fromkeys(found.column_names, pl.Int64)))


def _metadata(path: Path) -> Any:
    with reading(existing(path), _TITLES[_kind(path)]):
        return _reader(path)(str(path), output_format="polars", metadataonly=True)[1]


def _reader(path: Path) -> Callable[..., Any]:
    import pyreadstat

    read: Callable[..., Any] = getattr(pyreadstat, f"read_{_kind(path)}")
    return read


def _plain(column: pl.Series, found: Any) -> pl.Series:
    shown = str(found.original_variable_types.get(column.name) or "")
    if column.dtype == pl.Null:
        column = column.cast(_type_of_nothing(found.readstat_variable_types[column.name], shown))
    if column.dtype == pl.String:
        return column.replace("", None)
    if column.dtype.is_float():
        column = column.fill_nan(None)
        whole = _WHOLE_FORMAT.fullmatch(shown) or column.name in found.variable_value_labels
        if whole and bool((column.drop_nulls() % 1 == 0).all()):
            return column.cast(pl.Int64)
    return column


def _type_of_nothing(stored: str, shown: str) -> pl.DataType | type[pl.DataType]:
    """The type of a column without any value, from what the file declares."""
    if stored == "string":
        return pl.String
    for prefix in sorted(_DATE_FORMATS, key=len, reverse=True):
        if shown.startswith(prefix):
            return _DATE_FORMATS[prefix]
    return pl.Int64 if stored.startswith("int") else pl.Float64


def _labels(found: Any, frame: pl.DataFrame) -> Labels:
    columns = {name: text for name, text in found.column_names_to_labels.items() if text}
    values = {
        name: {_code(code): str(text) for code, text in codes.items()}
        for name, codes in found.variable_value_labels.items()
        if name in frame.columns
    }
    here = {name: text for name, text in columns.items() if name in frame.columns}
    return Labels(here, values, found.file_label or None)


def _code(code: Code) -> Code:
    return int(code) if isinstance(code, float) and code.is_integer() else code


@contextmanager
def sink(path: Path, schema: pl.Schema, options: WriteOptions, _placing: Placing) -> Iterator[Sink]:
    """Collect frames and write them at the end, since the writers need the whole table."""
    kind = _kind(path)
    title = _TITLES[kind]
    refuse(schema, title)
    _check_names(schema.names(), kind)
    parts: list[pl.DataFrame] = []
    collecting = Sink(parts.append)
    yield collecting
    frame = pl.concat(parts) if parts else pl.DataFrame(schema=schema)
    refuse_characters(frame, title)
    refuse_infinite(frame, title)
    refuse_large(frame, title, EXACT)
    labels = options.get("labels") or Labels()
    written, formats = _writable(to_stored(encode_columns(frame, labels), kind), kind)
    fitted = fit_labels(labels, frame, kind, written.schema)
    collecting.labels_dropped.extend(fitted.dropped)
    collecting.notes.extend(fitted.notes)
    written, said = with_kinds(written, frame, labels, kind)
    _write(path, kind, written, fitted.labels, {"variable_format": formats, **said})


def to_stored(frame: pl.DataFrame, kind: str) -> pl.DataFrame:
    """The frame as these packages hold it: times to the millisecond, date-times in UTC.

    SPSS pads text with blanks, so trailing blanks are lost there.
    """
    numbers: dict[str, pl.DataType | type[pl.DataType]] = {}
    for name, dtype in frame.schema.items():
        if dtype == pl.Boolean or dtype.is_integer():
            numbers[name] = pl.Int64
        elif dtype.is_float() or dtype.is_decimal():
            numbers[name] = pl.Float64
    told = plain(frame, numbers)
    return told.select(_store_column(told[name], kind, nearest=False) for name in told.columns)


def _store_column(column: pl.Series, kind: str, *, nearest: bool) -> pl.Series:
    if column.dtype == pl.String:
        texts = column.str.strip_chars_end(" ") if kind == "sav" else column
        return texts.replace("", None)
    if column.dtype == pl.Duration:
        return in_microseconds(column).to_physical() / 1_000_000
    if column.dtype == pl.Datetime:
        column = _in_utc(column)
    moments = column.dtype in (pl.Datetime, pl.Time)
    return to_milliseconds(column, nearest=nearest) if moments else column


def back(path: Path, schema: pl.Schema, options: WriteOptions) -> pl.DataFrame:
    """A file written by this module, with the types it was written with."""
    frame, found = load_labelled(path, {})
    told = as_stored(decode_columns(frame, found, options.get("labels") or Labels()), schema)
    return told.select(
        _store_column(told[name], _kind(path), nearest=True) for name in told.columns
    )


def _check_names(names: list[str], kind: str) -> None:
    longest, pattern = _NAMES[kind]
    title = _TITLES[kind]
    unfit = [
        name for name in names if len(name.encode()) > longest or not re.fullmatch(pattern, name)
    ]
    if unfit:
        raise FileError(
            "{title} does not allow the column name {unfit:quoted}: a name starts with a "
            "letter, continues with letters, digits and _, and has at most {longest} "
            "characters. Rename it.",
            title=title,
            unfit=unfit,
            longest=longest,
        )
    if taken := [name for name in names if _RESERVED[kind].fullmatch(name)]:
        raise FileError(
            "{title} reserves the column name {taken:quoted} for itself. Rename it.",
            title=title,
            taken=taken,
        )
    folded = Counter(name.casefold() for name in names)
    alike = [name for name in names if kind == "sav" and folded[name.casefold()] > 1]
    if alike:
        raise FileError(
            "{title} does not tell the column names {alike:quoted} apart: they differ in "
            "upper and lower case only. Rename one.",
            title=title,
            alike=alike,
        )


def _writable(frame: pl.DataFrame, kind: str) -> tuple[pl.DataFrame, dict[str, str]]:
    """Columns in types the writers support, with formats that show whole numbers as whole."""
    formats = {}
    columns = []
    for column in frame.get_columns():
        dtype = column.dtype
        if dtype.is_integer():
            small = (
                not column.len()
                or column.cast(pl.Float64).fill_null(0).is_between(-_INT32, _INT32).all()
            )
            columns.append(column.cast(pl.Int32 if small else pl.Float64))
            if kind == "sav" or not small:
                formats[column.name] = "F11.0" if small else _LONG_FORMATS[kind]
        elif dtype.is_decimal():
            columns.append(column.cast(pl.Float64))
        elif dtype == pl.Duration:
            columns.append(column.dt.cast_time_unit("us").to_physical() / 1_000_000)
        elif dtype == pl.Boolean:
            columns.append(column.cast(pl.Int32))
        elif dtype == pl.Datetime:
            columns.append(_in_utc(column))
        elif dtype in (pl.Categorical, pl.Enum, pl.Null):
            columns.append(column.cast(pl.String))
        else:
            columns.append(column)
    return pl.DataFrame(columns), formats


def _in_utc(column: pl.Series) -> pl.Series:
    if getattr(column.dtype, "time_zone", None):
        column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    return column.dt.cast_time_unit("us")


def _write(
    path: Path, kind: str, frame: pl.DataFrame, labels: Labels, more: Mapping[str, Any]
) -> None:
    import pyreadstat

    values = {name: dict(codes) for name, codes in labels.values.items()}
    packed = {"compress": True} if ".zsav" in path.name.lower() else {}
    try:
        getattr(pyreadstat, f"write_{kind}")(
            frame,
            str(path),
            file_label=labels.title or "",
            column_labels=dict(labels.columns),
            variable_value_labels=values,
            **more,
            **packed,
        )
    except (pyreadstat.PyreadstatError, pyreadstat.ReadstatError):
        _raise_system_error(path)
        raise FileError(
            "The table cannot be written as {titles}. Try Parquet, or fewer columns.",
            titles=_TITLES[kind],
        ) from None


def _raise_system_error(path: Path) -> None:
    """Raise a system error that the writer suppressed, such as a full disk."""
    with path.open("ab") as file:
        file.write(bytes(1 << 16))
