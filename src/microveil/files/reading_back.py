"""Reading back: whether a written table holds exactly the intended rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Words

_SEED = 0x6D6963726F7665
_STRIDE = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_TEXTS = (pl.Categorical, pl.Enum, pl.Null)


@dataclass
class Fingerprint:
    """The rows of a table, whatever their order: sums of hashes, by row and by column.

    Rows in any order and divided into any parts give the same sums; a different, additional or
    missing row, or a value in another column, gives different ones.

    >>> whole, parts = Fingerprint(), Fingerprint()
    >>> whole.add(pl.DataFrame({"x": [1, 2]}))
    >>> parts.add(pl.DataFrame({"x": [2]}))
    >>> whole == parts
    False
    >>> parts.add(pl.DataFrame({"x": [1]}))
    >>> whole == parts
    True
    """

    n_rows: int = 0
    rows: int = 0
    columns: dict[str, int] = field(default_factory=dict)

    def add(self, frame: pl.DataFrame) -> None:
        """Include further rows."""
        self.n_rows += frame.height
        whole: Words = np.zeros(frame.height, dtype=np.uint64)
        for place, name in enumerate(frame.columns):
            cells = frame[name].hash(_SEED + place).to_numpy()
            self.columns[name] = (self.columns.get(name, 0) + _total(cells)) % 2**64
            whole = _mix_bits(whole * _STRIDE + cells)
        self.rows = (self.rows + _total(whole)) % 2**64

    def differing(self, other: Fingerprint) -> tuple[str, ...]:
        """The columns with different values, including those that one lacks."""
        names = {**self.columns, **other.columns}
        return tuple(name for name in names if self.columns.get(name) != other.columns.get(name))


def fingerprint(frames: Iterable[pl.DataFrame]) -> Fingerprint:
    """The fingerprint of a table that comes in parts."""
    found = Fingerprint()
    for frame in frames:
        found.add(frame)
    return found


def sha256(path: Path) -> str:
    """Checksum of a file; of a folder, that of the checksums of its Parquet files, by name.

    The second is what ``sha256sum *.parquet | sha256sum`` prints.
    """
    if path.is_dir():
        files = sorted(path.glob("*.parquet"))
        sums = "".join(f"{sha256(file)}  {file.name}\n" for file in files)
        return hashlib.sha256(sums.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _total(numbers: Words) -> int:
    return int(numbers.sum(dtype=np.uint64))


def _mix_bits(numbers: Words) -> Words:
    """Spread every bit over the number, so that the hashes of two cells cannot cancel out."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _MIX[0]
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _MIX[1]
    return numbers ^ (numbers >> np.uint64(31))


def plain(
    frame: pl.DataFrame, types: Mapping[str, pl.DataType | type[pl.DataType]]
) -> pl.DataFrame:
    """The frame with categories as text, including in lists, and some columns in other types."""
    told = {name: types.get(name, without_categories(t)) for name, t in frame.schema.items()}
    return frame.cast(pl.Schema(told), strict=False)


def without_categories(dtype: pl.DataType) -> pl.DataType | type[pl.DataType]:
    """The type with text instead of categories, including in lists and structs."""
    if dtype.base_type() in _TEXTS:
        return pl.String
    if isinstance(dtype, pl.List):
        return pl.List(without_categories(_instance(dtype.inner)))
    if isinstance(dtype, pl.Array):
        return pl.Array(without_categories(_instance(dtype.inner)), dtype.size)
    if isinstance(dtype, pl.Struct):
        fields = {one.name: without_categories(_instance(one.dtype)) for one in dtype.fields}
        return pl.Struct(fields)
    return dtype


def _instance(dtype: Any) -> pl.DataType:
    made: pl.DataType = dtype() if isinstance(dtype, type) else dtype
    return made


def to_milliseconds(column: pl.Series, *, nearest: bool = False) -> pl.Series:
    """Date-times, times and durations truncated, or rounded, to the millisecond.

    Formats that store them as floating point are truncated on writing and rounded on reading, so
    that what was written comes back.
    """
    dtype, unit = column.dtype, 1_000_000
    if dtype in (pl.Datetime, pl.Duration):
        unit = {"ns": 1_000_000, "us": 1000, "ms": 1}[getattr(dtype, "time_unit", "us")]
    numbers = column.to_physical()
    return ((numbers + (unit // 2 if nearest else 0)) // unit * unit).cast(dtype)


def in_microseconds(column: pl.Series) -> pl.Series:
    """Date-times and durations to the microsecond, as most formats store them; others unchanged."""
    if column.dtype in (pl.Datetime, pl.Duration):
        return column.dt.cast_time_unit("us")
    return column


def as_stored(frame: pl.DataFrame, stored: pl.Schema) -> pl.DataFrame:
    """The result of reading a file, in the types its columns were written with.

    A cell that cannot have its column's type becomes missing, and is then found to differ.
    """
    here = [name for name in stored.names() if name in frame.columns]
    return frame.select(_cast_column(frame[name], stored[name]) for name in here)


def _cast_column(column: pl.Series, wanted: pl.DataType) -> pl.Series:
    if column.dtype == wanted:
        return column
    if column.dtype == pl.String:
        return column.to_frame().select(from_text(pl.col(column.name), wanted)).to_series()
    try:
        return column.cast(wanted, strict=False)
    except pl.exceptions.PolarsError:
        return pl.Series(column.name, [None] * len(column), dtype=wanted)


def from_text(text: pl.Expr, wanted: pl.DataType) -> pl.Expr:
    """Parse text that a writer produced from a value."""
    if wanted == pl.String:
        return text
    if wanted == pl.Boolean:
        return pl.when(text == "true").then(True).when(text == "false").then(False)
    if wanted == pl.Date:
        return text.str.to_date("%Y-%m-%d", strict=False)
    if wanted == pl.Time:
        return text.str.to_time("%H:%M:%S%.f", strict=False)
    if isinstance(wanted, pl.Datetime):
        return _moment(text, wanted)
    return text.cast(wanted, strict=False)


def _moment(text: pl.Expr, wanted: pl.Datetime) -> pl.Expr:
    iso = text.str.replace(" ", "T", literal=True)
    if wanted.time_zone is None:
        return iso.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit=wanted.time_unit, strict=False)
    instant = iso.str.to_datetime(
        "%Y-%m-%dT%H:%M:%S%.f%#z", time_unit=wanted.time_unit, time_zone="UTC", strict=False
    )
    return instant.dt.convert_time_zone(wanted.time_zone)
