"""R's files: data frames from ``.rda``, ``.RData`` and ``.rds``.

Factors are text, ordered factors enumerations in their order. ``Date`` and ``POSIXct`` become dates
and date-times (those without a zone in UTC), ``difftime`` durations, NA missing. Row names are left
out. Nothing in a file is ever run.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microveil.errors import FileError
from microveil.files.labels import Code, Labels
from microveil.files.options import ReadOptions
from microveil.files.sources import choose_columns, distinct, existing, reading
from microveil.files.statistical.r_objects import (
    NA_INTEGER,
    NotReadableError,
    Reader,
    Value,
    missing_reals,
)
from microveil.texts import phrase

TITLE = "R data"
_UNPACKERS: tuple[tuple[bytes, Callable[[bytes], bytes]], ...] = (
    (b"\x1f\x8b", gzip.decompress),
    (b"BZh", bz2.decompress),
    (b"\xfd7zXZ", lzma.decompress),
)
_SECONDS = {"secs": 1, "mins": 60, "hours": 3_600, "days": 86_400, "weeks": 604_800}
_NA_LONG = -(2**63)


def load(path: Path, options: ReadOptions) -> pl.DataFrame:
    """The file's data frame; where it holds several, the one that ``table`` names."""
    return load_labelled(path, options)[0]


def load_labelled(path: Path, options: ReadOptions) -> tuple[pl.DataFrame, Labels]:
    """The table and the labels that R's haven and labelled keep with its columns."""
    with reading(existing(path), TITLE):
        frames = _frames(_unpack(path.read_bytes()), path)
        found = _choose_frame(frames, options.get("table"), path)
        names = distinct(list(found.texts("names")), path)
        wanted = choose_columns(names, options.get("columns"), path)
        columns = {name: found.data[names.index(name)] for name in wanted}
        frame = pl.DataFrame([_column(value, name, path) for name, value in columns.items()])
        return frame, _labels(columns)


def _labels(columns: dict[str, Value]) -> Labels:
    """The attributes ``label`` and ``labels``: the latter has codes under names."""
    said = {name: next(iter(value.texts("label")), "") for name, value in columns.items()}
    values: dict[str, dict[Code, str]] = {}
    for name, value in columns.items():
        codes = value.attributes.get("labels")
        if codes is None or codes.data is None or "factor" in value.classes:
            continue
        named = zip(_codes(codes), codes.texts("names"), strict=False)
        values[name] = {code: text for code, text in named if code is not None}
    return Labels({name: text for name, text in said.items() if text}, values)


def _codes(value: Value) -> list[Code | None]:
    if isinstance(value.data, list):
        return list(value.data)
    numbers = _numbers(value).to_list()
    return [int(one) if isinstance(one, float) and one.is_integer() else one for one in numbers]


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """Nothing is written to R's files."""
    return frame


def _unpack(content: bytes) -> bytes:
    for start, unpack in _UNPACKERS:
        if content.startswith(start):
            return unpack(content)
    return content


def _frames(content: bytes, path: Path) -> dict[str, Value]:
    """The data frames of a file by name; the one of an ``.rds`` file has none."""
    if content[:5] in (b"RDX2\n", b"RDX3\n"):
        found = Reader(content[5:]).named_values()
    else:
        found = {path.stem: Reader(content).value()}
    return {name: value for name, value in found.items() if "data.frame" in value.classes}


def _choose_frame(frames: dict[str, Value], name: str | None, path: Path) -> Value:
    if not frames:
        raise FileError(
            "{path} holds no data frame. Save one with save() or saveRDS() in R.", path=path
        )
    if name is None and len(frames) == 1:
        return next(iter(frames.values()))
    if name is None or name not in frames:
        what = (
            phrase("several data frames")
            if name is None
            else phrase("no data frame '{name}'", name=name)
        )
        raise FileError(
            "{path} holds {what}. Choose one by `table`: {frames}.",
            path=path,
            what=what,
            frames=frames,
        )
    return frames[name]


def _column(value: Value, name: str, path: Path) -> pl.Series:
    if _is_matrix(value) or value.data is None or _is_nested(value.data):
        raise FileError(
            "{path}: column '{name}' is a list, a matrix, complex numbers or a POSIXlt. Turn "
            "it into plain values in R first.",
            path=path,
            name=name,
        )
    return _plain(value).alias(name)


def _is_matrix(value: Value) -> bool:
    """Whether a column is a matrix of several columns; one of a single column is a vector."""
    shape = value.attributes.get("dim")
    return shape is not None and (len(shape.data) != 2 or int(shape.data[1]) != 1)  # noqa: PLR2004  rows and columns


def _is_nested(data: Any) -> bool:
    if isinstance(data, list):
        return any(isinstance(one, Value) for one in data)
    return bool(data.dtype == np.complex128)


def _plain(value: Value) -> pl.Series:
    if isinstance(value.data, list):
        return pl.Series(value.data, dtype=pl.String)
    for kind, read in _BY_CLASS.items():
        if kind in value.classes:
            return read(value)
    return _numbers(value)


def _numbers(value: Value) -> pl.Series:
    data = value.data
    if data.dtype == np.int32:
        return _with_gaps(pl.Series(data), data == NA_INTEGER)
    if data.dtype == np.float64:
        return _with_gaps(pl.Series(data), missing_reals(data))
    if data.dtype == np.int8:
        return _with_gaps(pl.Series(data == 1), data < 0)
    if data.dtype == np.uint8:
        return pl.Series(data)
    raise NotReadableError("unknown kind of number")


def _with_gaps(series: pl.Series, gaps: Any) -> pl.Series:
    return series.set(pl.Series(gaps), None) if gaps.any() else series


def _factor(value: Value) -> pl.Series:
    levels = pl.Series(value.texts("levels"), dtype=pl.String)
    codes = _numbers(value).cast(pl.Int64) - 1
    text = levels.gather(codes)
    return text.cast(pl.Enum(levels)) if "ordered" in value.classes else text


def _longs(value: Value) -> pl.Series:
    longs = value.data.view(np.int64)
    return _with_gaps(pl.Series(longs), longs == _NA_LONG)


def _days(value: Value) -> pl.Series:
    return _numbers(value).cast(pl.Float64).floor().cast(pl.Int32).cast(pl.Date)


def _spells(value: Value) -> pl.Series:
    unit = _SECONDS.get(next(iter(value.texts("units")), "secs"), 1)
    return _microseconds(_numbers(value), unit).cast(pl.Duration("us"))


def _moments(value: Value) -> pl.Series:
    moments = _microseconds(_numbers(value), 1).cast(pl.Datetime("us"))
    zone = next(iter(value.texts("tzone")), "")
    if not zone or zone == "UTC":
        return moments
    try:
        return moments.dt.replace_time_zone("UTC").dt.convert_time_zone(zone)
    except pl.exceptions.PolarsError:
        return moments  # an abbreviation that names no place


def _microseconds(numbers: pl.Series, seconds: int) -> pl.Series:
    return (numbers.cast(pl.Float64).fill_nan(None) * (seconds * 1e6)).round().cast(pl.Int64)


_BY_CLASS: dict[str, Callable[[Value], pl.Series]] = {
    "factor": _factor,
    "integer64": _longs,
    "Date": _days,
    "POSIXct": _moments,
    "difftime": _spells,
}
