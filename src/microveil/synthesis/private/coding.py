"""Coding: declared columns as codes and back, each record independently of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Ints
from microveil.errors import ColumnError
from microveil.synthesis.parts.columns import CategoryColumn, NumberColumn
from microveil.synthesis.private.domain import Bound, Domain, Range, Values

MOST_SINGLE = 256
"""Up to this many whole numbers are distinguished individually by default."""
DEFAULT_BINS = 32
"""Number of intervals of a longer range."""
MOST_CELLS = 1_000_000
"""Largest number of values of one column that can be counted with noise."""


@dataclass(frozen=True, eq=False)
class CodedCategory:
    """A column of declared categories."""

    column: CategoryColumn
    missing: bool

    @property
    def size(self) -> int:
        """Number of codes; the last is missing, where that is declared."""
        return self.column.n_values + self.missing

    def encode(self, series: pl.Series) -> Ints:
        """Code of each cell; −1 for undeclared values."""
        codes = self.column.encode(series)
        return _with_missing(codes, series, self.column.n_values if self.missing else -1)

    def decode(self, codes: Ints, rng: np.random.Generator) -> pl.Series:  # noqa: ARG002  as ranges
        """The values of the codes."""
        return self.column.decode(np.where(codes < self.column.n_values, codes, -1))


@dataclass(frozen=True, eq=False)
class CodedRange:
    """A column of numbers or dates in declared intervals."""

    column: NumberColumn
    dtype: pl.DataType
    low: Any
    high: Any
    bins: int
    missing: bool

    @property
    def size(self) -> int:
        """Number of codes; the last is missing, where that is declared."""
        return self.bins + self.missing

    @property
    def _points(self) -> float:
        """Number of points of the grid; the length of the range if there is none."""
        return self.column.high - self.column.low + (self.column.step is not None)

    def encode(self, series: pl.Series) -> Ints:
        """Interval of each cell; numbers are clamped to the range."""
        floats = self.column.encode(self._clip(series))
        known = ~np.isnan(floats)
        codes = np.full(len(series), -1, dtype=np.int32)
        # Integer times bins, then divided: exact for all grids that fit a double.
        share = (floats[known] - self.column.low) * self.bins / max(self._points, 1e-300)
        codes[known] = np.clip(np.floor(share), 0, self.bins - 1).astype(np.int32)
        codes[~known] = self.bins if self.missing else -1
        return codes

    def _clip(self, series: pl.Series) -> pl.Series:
        if isinstance(series.dtype, pl.Decimal):
            series = series.cast(pl.Float64)
        return series.clip(self.low, self.high)

    def decode(self, codes: Ints, rng: np.random.Generator) -> pl.Series:
        """A value drawn uniformly from the interval of each code."""
        known = codes < self.bins
        width = self._points / self.bins
        start, end = codes * width, (codes + 1) * width
        if self.column.step is not None:
            start, end = np.ceil(start - 1e-9), np.ceil(end - 1e-9)
        drawn = start + rng.random(len(codes)) * (end - start)
        if self.column.step is not None:
            drawn = np.minimum(np.floor(drawn), end - 1)
        return self.column.decode(np.where(known, drawn + self.column.low, np.nan)).cast(self.dtype)


CodedColumn = CodedCategory | CodedRange


def coded_columns(frame: pl.DataFrame, domain: Domain) -> tuple[CodedColumn, ...]:
    """How each column becomes codes, by its declaration and its type, never by its cells."""
    return tuple(_encode(name, dtype, domain[name]) for name, dtype in frame.schema.items())


def encode_declared(frame: pl.DataFrame, columns: Sequence[CodedColumn]) -> Ints:
    """One row of codes per column; records with an undeclared value are left out."""
    codes = np.stack(
        [column.encode(series) for column, series in zip(columns, frame.get_columns(), strict=True)]
    )
    return np.ascontiguousarray(codes[:, (codes >= 0).all(axis=0)])


def _encode(name: str, dtype: pl.DataType, declared: Values | Range) -> CodedColumn:
    if isinstance(declared, Values):
        return CodedCategory(_categories(name, dtype, declared), declared.missing)
    return _range(name, dtype, declared)


def _categories(name: str, dtype: pl.DataType, declared: Values) -> CategoryColumn:
    try:
        values = pl.Series(name, list(declared.values), strict=False).cast(dtype)
    except (pl.exceptions.PolarsError, TypeError):
        raise ColumnError(
            "The declared values of '{name}' are not of its type ({dtype}). Declare values "
            "as the column has them.",
            name=name,
            dtype=dtype,
        ) from None
    if values.n_unique() < len(declared.values) or values.null_count():
        raise ColumnError(
            "The declared values of '{name}' must be distinct and not missing.", name=name
        )
    return CategoryColumn(name, dtype, values)


def _range(name: str, dtype: pl.DataType, declared: Range) -> CodedRange:
    if not (dtype.is_numeric() or dtype in (pl.Date, pl.Datetime)):
        raise ColumnError(
            "Column '{name}' ({dtype}) is declared by a range, but has neither numbers nor "
            "dates. Declare its values as a list.",
            name=name,
            dtype=dtype,
        )
    low, high = _bound(declared.low, dtype, name), _bound(declared.high, dtype, name)
    if low > high:
        raise ColumnError("The declared range of '{name}' has `low` above `high`.", name=name)
    column = _number_column(name, dtype, low, high, declared.decimals)
    points = column.high - column.low + 1
    default = int(points) if column.step is not None and points <= MOST_SINGLE else DEFAULT_BINS
    bins = declared.bins or default
    if column.step is not None or low == high:
        bins = int(min(bins, points))
    if bins > MOST_CELLS:
        raise ColumnError(
            "'{name}' is declared with {bins} intervals; the limit is {most_cells}.",
            name=name,
            bins=bins,
            most_cells=MOST_CELLS,
        )
    return CodedRange(column, dtype, low, high, bins, declared.missing)


def _number_column(
    name: str, dtype: pl.DataType, low: Any, high: Any, decimals: int | None
) -> NumberColumn:
    if dtype.is_integer() or dtype.is_temporal():
        first, last = (
            int(_series(bound, dtype, name).to_physical().item()) for bound in (low, high)
        )
        return NumberColumn(name, dtype, first, 1, 0.0, float(last - first))
    if isinstance(dtype, pl.Decimal):
        decimals = dtype.scale if decimals is None else decimals
    shown = pl.Float64() if isinstance(dtype, pl.Decimal) else dtype
    if decimals is None:
        return NumberColumn(name, shown, 0.0, None, float(low), float(high))
    step = 10.0**-decimals
    return NumberColumn(
        name, shown, 0.0, step, float(np.rint(low / step)), float(np.rint(high / step))
    )


def _bound(bound: Bound, dtype: pl.DataType, name: str) -> Any:
    """A declared end of a range in the column's type."""
    if dtype.is_numeric() != isinstance(bound, int | float):
        raise _misfit(name, dtype)
    if isinstance(bound, int | float):
        return int(bound) if dtype.is_integer() and float(bound).is_integer() else float(bound)
    try:
        moment = datetime.fromisoformat(str(bound))
    except ValueError:
        raise _misfit(name, dtype) from None
    return moment if isinstance(dtype, pl.Datetime) else moment.date()


def _series(bound: Any, dtype: pl.DataType, name: str) -> pl.Series:
    try:
        return pl.Series([bound], dtype=dtype, strict=True)
    except (pl.exceptions.PolarsError, TypeError, OverflowError):
        raise _misfit(name, dtype) from None


def _misfit(name: str, dtype: pl.DataType) -> ColumnError:
    return ColumnError(
        "The declared range of '{name}' does not fit its type ({dtype}). Use numbers for "
        "numbers and ISO dates for dates.",
        name=name,
        dtype=dtype,
    )


def _with_missing(codes: Ints, series: pl.Series, code: int) -> Ints:
    if not series.null_count():
        return codes
    return np.where(series.is_null().to_numpy(), np.int32(code), codes)
