"""Columns as arrays and back: categories as codes, numbers and dates as floats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints
from microveil.errors import ColumnError, InputError
from microveil.synthesis.parts.grids import EXACT, decimals_of, whole_grid
from microveil.tables.door import refuse_nested
from microveil.texts import phrase


@dataclass(frozen=True, eq=False)
class CategoryColumn:
    """A categorical column: text, booleans, and columns without any value."""

    name: str
    dtype: pl.DataType
    values: pl.Series
    """The distinct values in order; a code is a position among them, −1 is missing."""

    @classmethod
    def of(cls, series: pl.Series) -> CategoryColumn:
        """The values that occur, sorted (an enum's in the order of its categories)."""
        return cls(series.name, series.dtype, series.drop_nulls().unique().sort())

    @property
    def n_values(self) -> int:
        """Number of values, not counting missing."""
        return len(self.values)

    def encode(self, series: pl.Series) -> Ints:
        """Code of each cell; missing and unlisted values get −1."""
        if not self.n_values:
            return np.full(len(series), -1, dtype=np.int32)
        # Physical enums and categoricals are compared as text, so that dictionaries may differ.
        listed = pl.DataFrame({"value": _plain(self.values)}).with_row_index("code")
        cells = pl.DataFrame({"value": _plain(series)})
        joined = cells.join(listed, on="value", how="left", maintain_order="left")["code"]
        return joined.cast(pl.Int32).fill_null(-1).to_numpy().astype(np.int32)

    def decode(self, codes: Ints) -> pl.Series:
        """The values of the codes, in the column's own type."""
        if not self.n_values:
            return pl.Series(self.name, [None] * len(codes), dtype=self.dtype)
        positions = pl.Series(codes, dtype=pl.Int64)
        positions = positions.set(positions < 0, None)
        return self.values.gather(cast("list[int]", positions)).alias(self.name).cast(self.dtype)


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of numbers, dates, times or durations: float = (number − origin) / step."""

    name: str
    dtype: pl.DataType
    origin: float | int
    """The zero point, in the physical unit of the type (days for dates, …)."""
    step: float | int | None
    """Distance between neighbouring values on the column's grid, in that unit; None: continuous."""
    low: float
    """Smallest number that may be drawn, as a float of this column."""
    high: float
    """Largest number that may be drawn."""

    @classmethod
    def of(cls, series: pl.Series) -> NumberColumn:
        """Read origin, grid and range from a column; infinite numbers are refused."""
        physical = _physical(series).drop_nulls()
        if physical.dtype.is_integer():
            least = int(cast("int", physical.min()))
            offsets = _offsets(physical, least)
            apart, phase = whole_grid(offsets)
            ends = [round((int(end) - phase) / apart) for end in (offsets.min(), offsets.max())]
            return cls(series.name, series.dtype, least + phase, apart, *map(float, ends))
        numbers = physical.cast(pl.Float64).to_numpy()
        n_infinite = int(np.isinf(numbers).sum())
        if n_infinite:
            raise ColumnError(
                "Column '{name}' has {n_infinite} infinite numbers, which no model can draw. "
                "Make them missing, or top-code the column.",
                name=series.name,
                n_infinite=n_infinite,
            )
        decimals = decimals_of(numbers, single=physical.dtype == pl.Float32)
        if decimals is None:
            low, high = float(numbers.min()), float(numbers.max())
            return cls(series.name, series.dtype, 0.0, None, low, high)
        step = 10.0**-decimals
        scaled = np.rint(numbers / step)
        return cls(series.name, series.dtype, 0.0, step, float(scaled.min()), float(scaled.max()))

    def encode(self, series: pl.Series) -> Floats:
        """Cells as floats: integers on the grid if there is one, NaN for missing."""
        physical = _physical(series)
        missing = physical.is_null().to_numpy()
        floats = np.full(len(series), np.nan)
        present = physical.drop_nulls()
        if not len(present):
            return floats
        if present.dtype.is_integer() and isinstance(self.origin, int):
            floats[~missing] = _offsets(present, self.origin) / (self.step or 1)
        elif self.step is None:
            floats[~missing] = present.cast(pl.Float64).to_numpy()
        else:
            numbers = present.cast(pl.Float64).to_numpy()
            floats[~missing] = np.rint((numbers - self.origin) / self.step)
        return floats

    def decode(self, floats: Floats) -> pl.Series:
        """The values of the floats: within the column's range, on its grid, of its type."""
        bounded = np.clip(floats, self.low, self.high)
        missing = np.isnan(bounded)
        if self.step is not None:
            bounded = np.rint(bounded)
        if isinstance(self.origin, int):
            whole = np.where(missing, 0, bounded).astype(np.int64) * int(self.step or 1)
            physical = pl.Series(self.name, whole).cast(pl.Int128)
            physical = physical + pl.Series([self.origin], dtype=pl.Int128)
            return _from_physical(physical.set(pl.Series(missing), None), self.dtype)
        if self.step is not None:
            # Division gives the float that parsing the decimal text would give.
            bounded = bounded / round(1 / self.step) if self.step < 1 else bounded * self.step
        numbers = pl.Series(self.name, bounded + self.origin).fill_nan(None)
        return _from_physical(numbers, self.dtype)


Column: TypeAlias = CategoryColumn | NumberColumn


def read_columns(frame: pl.DataFrame) -> tuple[Column, ...]:
    """How each column of a frame becomes an array; nested values are refused.

    >>> [type(one).__name__ for one in read_columns(pl.DataFrame({"sex": ["f"], "pay": [1.5]}))]
    ['CategoryColumn', 'NumberColumn']
    """
    refuse_nested(frame, frame.columns, phrase("Synthesis"))
    return tuple(read_column(frame[name]) for name in frame.columns)


def read_column(series: pl.Series) -> Column:
    """How one column becomes an array."""
    if is_number(series.dtype) and series.null_count() < len(series):
        return NumberColumn.of(series)
    return CategoryColumn.of(series)


def encode_columns(frame: pl.DataFrame, columns: Sequence[Column]) -> list[Ints | Floats]:
    """The arrays of a frame's columns."""
    return [one.encode(frame[one.name]) for one in columns]


def decode_columns(arrays: Sequence[Ints | Floats], columns: Sequence[Column]) -> pl.DataFrame:
    """The frame encoded by the arrays."""
    if not columns:
        raise InputError("There is no column to synthesize. Leave at least one that is modelled.")
    return pl.DataFrame([_decode(array, one) for array, one in zip(arrays, columns, strict=True)])


def _decode(array: Ints | Floats, column: Column) -> pl.Series:
    if isinstance(column, CategoryColumn):
        return column.decode(array.astype(np.int32))
    return column.decode(array.astype(np.float64))


def is_number(dtype: pl.DataType) -> bool:
    """Whether a type is quantitative: numbers, dates, times, durations."""
    return dtype.is_numeric() or dtype.is_temporal()


def _plain(series: pl.Series) -> pl.Series:
    if isinstance(series.dtype, pl.Categorical | pl.Enum):
        return series.cast(pl.String)
    return series.cast(pl.String) if series.dtype == pl.Boolean else series


def _physical(series: pl.Series) -> pl.Series:
    """The values as numbers: dates as days, decimals as integer multiples."""
    if series.dtype.is_temporal():
        return series.to_physical()
    if isinstance(series.dtype, pl.Decimal):
        scale = series.dtype.scale or 0
        return (series.cast(pl.Float64) * 10.0**scale).round(0).cast(pl.Int128)
    return series


def _from_physical(physical: pl.Series, dtype: pl.DataType) -> pl.Series:
    if isinstance(dtype, pl.Decimal):
        scale = dtype.scale or 0
        return (physical.cast(pl.Float64) / 10.0**scale).round(scale).cast(dtype)
    if dtype.is_temporal():
        whole = pl.Int32 if dtype == pl.Date else pl.Int64
        return physical.cast(whole).cast(dtype)
    return physical.cast(dtype)


def _offsets(whole: pl.Series, origin: int) -> NDArray[np.int64]:
    """Distances from the origin; those that floats cannot distinguish are refused."""
    # The ends are subtracted as Python's integers, which do not overflow at 128 bits.
    ends = (int(cast("int", whole.min())), int(cast("int", whole.max())))
    if max(abs(end - origin) for end in ends) > EXACT:
        raise ColumnError(
            "Column '{name}' spans more whole numbers than can be distinguished (2^53), as "
            "codes do. Drop or pseudonymize it, or turn it into text.",
            name=whole.name,
        )
    wide = whole.cast(pl.Int128) - pl.Series([origin], dtype=pl.Int128)
    return wide.cast(pl.Int64).to_numpy()
