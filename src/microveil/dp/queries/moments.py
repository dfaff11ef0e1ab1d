"""Sums, means, variances, covariances and correlations: all follow from noisy sums of products."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Floats
from microveil.dp.grids import Grid, MomentCode, SumCode
from microveil.dp.parts import Estimates, Finish, Part, Term, Vector
from microveil.dp.queries.base import Query
from microveil.dp.queries.counts import ROWS, as_they_are
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration
    from microveil.dp.spread import Spread


class _OfOne(Query):
    column: str
    """Numeric column; it needs bounds."""

    def answer_columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)


class Sum(_OfOne):
    """Sum of a column, each value clamped to the bounds."""

    query: Literal["sum"] = "sum"

    def part(self, declaration: Declaration) -> Part:
        """One number per group; a row adds a value within the bounds."""
        code = SumCode(self.column)
        grid = code.grid(declaration, self.join)
        term = Term(f"sum of {self.column}", grid.low, grid.high, grid.unit, factors=(code,))
        return Vector((term,), as_they_are, complete=(self.column,))

    def words(self) -> str:
        """What is added up."""
        return f"sum of {self.column}"


class Mean(_OfOne):
    """Mean of a column: a noisy sum around the middle of the bounds over a noisy count."""

    query: Literal["mean"] = "mean"

    def part(self, declaration: Declaration) -> Part:
        """The rows and their sum; the mean stays within the bounds."""
        grid = MomentCode(self.column).grid(declaration, self.join)
        low, high = declaration.number_bounds(self.column, self.join)
        middle = float(grid.offset)

        def finish(noisy: Floats, spread: Spread) -> Estimates:
            rows, total = noisy[:, :1], noisy[:, 1:]
            width = spread.half_widths()
            ends = [
                middle + (total + side * width[1]) / np.maximum(rows + other * width[0], 1)
                for side in (-1, 1)
                for other in (-1, 1)
            ]
            unknown = rows - width[0] < 1
            value = np.clip(middle + total / np.maximum(rows, 1), low, high)
            return Estimates(
                value,
                np.where(unknown, low, np.clip(np.min(ends, axis=0), low, high)),
                np.where(unknown, high, np.clip(np.max(ends, axis=0), low, high)),
            )

        return Vector(moments((self.column,), 1, declaration, self.join), finish, (self.column,))

    def words(self) -> str:
        """What is averaged."""
        return f"mean of {self.column}"


class Variance(_OfOne):
    """Variance of a column (over n − 1), from noisy sums of values and of squares."""

    query: Literal["variance"] = "variance"

    def part(self, declaration: Declaration) -> Part:
        """Rows, sum and sum of squares; a variance within the bounds is range² / 4 at most."""
        terms = moments((self.column,), 2, declaration, self.join)
        low, high = declaration.number_bounds(self.column, self.join)
        largest = (high - low) ** 2 / 2

        def answer(sums: Floats) -> Floats:
            n, x, xx = (sums[..., at] for at in range(3))
            return np.clip(_covariances(n, x, x, xx), 0, largest)[..., None]

        return Vector(terms, simulating(answer), (self.column,))

    def words(self) -> str:
        """Whose variance."""
        return f"variance of {self.column}"


class _OfTwo(Query):
    columns: Columns = Field(min_length=2, max_length=2)
    """Two numeric columns; both need bounds. Rows where one is missing do not count."""

    def answer_columns(self) -> tuple[str, ...]:
        """Both columns."""
        return self.columns


class Covariance(_OfTwo):
    """Covariance of two columns (over n − 1), from noisy sums of values and of products."""

    query: Literal["covariance"] = "covariance"

    def part(self, declaration: Declaration) -> Part:
        """Rows, both sums and the sum of products."""
        every = moments(self.columns, 2, declaration, self.join)
        names = _order(self.columns)
        kept = tuple(every[names.index(name)] for name in ((), (0,), (1,), (0, 1)))
        limits = [declaration.number_bounds(name, self.join) for name in self.columns]
        largest = np.prod([high - low for low, high in limits]) / 2

        def answer(sums: Floats) -> Floats:
            found = _covariances(*(sums[..., at] for at in range(4)))
            return np.clip(found, -largest, largest)[..., None]

        return Vector(kept, simulating(answer), self.columns)

    def words(self) -> str:
        """Of which columns."""
        return f"covariance of {' and '.join(self.columns)}"


class Correlation(_OfTwo):
    """Pearson's correlation of two columns, from noisy sums of values, squares and products."""

    query: Literal["correlation"] = "correlation"

    def part(self, declaration: Declaration) -> Part:
        """Rows, sums, squares and products; no correlation is beyond −1 and 1."""
        terms = moments(self.columns, 2, declaration, self.join)
        names = _order(self.columns)

        def answer(sums: Floats) -> Floats:
            n, x, y = (sums[..., names.index(name)] for name in ((), (0,), (1,)))
            xx, xy, yy = (sums[..., names.index(name)] for name in ((0, 0), (0, 1), (1, 1)))
            spread = np.sqrt(
                np.maximum(_covariances(n, x, x, xx), 0) * np.maximum(_covariances(n, y, y, yy), 0)
            )
            both = _covariances(n, x, y, xy)
            found: Floats = np.divide(both, spread, out=np.zeros_like(both), where=spread > 0)
            return np.clip(found, -1, 1)[..., None]

        return Vector(terms, simulating(answer), self.columns)

    def words(self) -> str:
        """Of which columns."""
        return f"correlation of {' and '.join(self.columns)}"


def moments(
    columns: tuple[str, ...], degree: int, declaration: Declaration, join: tuple[str, ...]
) -> tuple[Term, ...]:
    """Rows, sums and sums of products of columns, in the order of :func:`_order`."""
    codes = [MomentCode(name) for name in columns]
    grids = [code.grid(declaration, join) for code in codes]
    terms = []
    for at in _order(columns):
        if len(at) > degree:
            continue
        if not at:
            terms.append(ROWS)
            continue
        low, high, unit = _product([grids[one] for one in at], square=len(set(at)) < len(at))
        name = f"sum of {' × '.join(columns[one] for one in at)}"
        terms.append(Term(name, low, high, unit, factors=tuple(codes[one] for one in at)))
    return tuple(terms)


def _order(columns: tuple[str, ...]) -> list[tuple[int, ...]]:
    numbers = range(len(columns))
    return [(), *((one,) for one in numbers), *combinations_with_replacement(numbers, 2)]


def _product(grids: list[Grid], *, square: bool) -> tuple[int, int, Fraction]:
    most = 1
    unit = grids[0].unit
    for grid in grids:
        most *= grid.high
    if len(grids) > 1:
        unit *= grids[1].unit
    return (0 if square else -most, most, unit)


def _covariances(n: Floats, x: Floats, y: Floats, xy: Floats) -> Floats:
    rows = np.maximum(n, 2)
    found: Floats = (xy - x * y / rows) / (rows - 1)
    return found


def simulating(answer: Callable[[Floats], Floats]) -> Finish:
    """Finish by a formula of the noisy sums; its interval is found by drawing noise again."""

    def finish(noisy: Floats, spread: Spread) -> Estimates:
        value = answer(noisy)
        low, high = spread.simulate(noisy, answer)
        return Estimates(value, np.minimum(low, value), np.maximum(high, value))

    return finish
