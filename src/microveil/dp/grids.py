"""Grids: values as whole numbers, so that sums are exact and their sensitivity is known.

A sum of floats can change by more than the value that is removed, because rounding depends on the
order (Casacuberta, Shoemate, Vadhan & Wagaman 2022). So every value is clamped to its bounds,
rounded to a grid derived from the bounds alone, and added up as an integer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration

SUM_BITS = 24
"""Steps from nothing to the larger bound, for sums: 2^24."""
MOMENT_BITS = 15
"""Steps from the middle to a bound, for products of two values: 2^15 each."""
EXACT_SUM = 2**30
"""Whole numbers up to this are added up as they are."""


@dataclass(frozen=True)
class Grid:
    """A value is ``offset + code × unit``; codes run from ``low`` to ``high``."""

    offset: Fraction
    unit: Fraction
    low: int
    high: int

    def code(self, value: float) -> int:
        """The code of one value, clamped to the bounds."""
        exact = (Fraction(value) - self.offset) / self.unit
        return min(max(round(exact), self.low), self.high)


def sum_grid(bounds: tuple[float, float], *, whole: bool) -> Grid:
    """Codes whose sum is the sum of the values."""
    low, high = (Fraction(bound) for bound in bounds)
    largest = max(abs(low), abs(high))
    unit = Fraction(1) if whole and largest <= EXACT_SUM else _power_below(largest, SUM_BITS)
    return Grid(Fraction(0), unit, round(low / unit), round(high / unit))


def moment_grid(bounds: tuple[float, float], *, whole: bool) -> Grid:
    """Codes around the middle of the bounds: as many below as above, the least noise for a mean."""
    low, high = (Fraction(bound) for bound in bounds)
    middle, half = (low + high) / 2, (high - low) / 2
    exact = whole and high - low <= 2**MOMENT_BITS
    unit = Fraction(1, 2) if exact else _power_below(half, MOMENT_BITS)
    most = round(half / unit)
    return Grid(middle, unit, -most, most)


def _power_below(largest: Fraction, bits: int) -> Fraction:
    """A power of two into which the largest value goes at most 2^bits times."""
    exponent = math.ceil(math.log2(float(largest))) - bits
    return Fraction(2) ** exponent


@dataclass(frozen=True)
class SumCode:
    """The code of a column's value in its sum."""

    column: str

    def grid(self, declaration: Declaration, join: tuple[str, ...]) -> Grid:
        """The grid, from the declared bounds."""
        bounds = declaration.number_bounds(self.column, join)
        return sum_grid(bounds, whole=declaration.column(self.column, join).type != "real")

    def expression(self, declaration: Declaration, join: tuple[str, ...]) -> pl.Expr:
        """The codes of the column's cells; missing stays missing."""
        return _codes(self.column, self.grid(declaration, join), declaration, join)


@dataclass(frozen=True)
class MomentCode:
    """The code of a column's value around the middle of its bounds."""

    column: str

    def grid(self, declaration: Declaration, join: tuple[str, ...]) -> Grid:
        """The grid, from the declared bounds."""
        bounds = declaration.number_bounds(self.column, join)
        return moment_grid(bounds, whole=declaration.column(self.column, join).type != "real")

    def expression(self, declaration: Declaration, join: tuple[str, ...]) -> pl.Expr:
        """The codes of the column's cells; missing stays missing."""
        return _codes(self.column, self.grid(declaration, join), declaration, join)


def _codes(column: str, grid: Grid, declaration: Declaration, join: tuple[str, ...]) -> pl.Expr:
    low, high = declaration.number_bounds(column, join)
    whole = declaration.column(column, join).type != "real"
    if whole and grid.unit == 1 and grid.offset == 0:
        return pl.col(column).cast(pl.Int64).clip(grid.low, grid.high)
    if whole and grid.unit == Fraction(1, 2):
        return pl.col(column).cast(pl.Int64).clip(int(low), int(high)) * 2 - int(low + high)
    # Rounding is monotonic, so that what lies within the bounds lies within their codes; the last
    # clip makes sure of it.
    steps = (pl.col(column).cast(pl.Float64).clip(low, high) - float(grid.offset)) / float(
        grid.unit
    )
    return steps.round(mode="half_to_even").cast(pl.Int64).clip(grid.low, grid.high)
