"""The number sets of the Zaragoza thesis (2017), with its parameters: rows, columns, values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from microveil.errors import InputError

COLUMNS = 3
"""Columns, if nothing is said."""
MOST_ROWS = 100_000_000


@dataclass(frozen=True)
class Shape:
    """What the thesis' generators are told; None is as usual."""

    rows: int | None = None
    columns: int | None = None
    """A, the number of attributes."""
    values: int | None = None
    """V, the number of values of each column, of the dependent sets."""
    seed: int = 0

    def fill(self, rows: int, seed: int) -> Shape:
        """The shape with the usual number of rows, unless rows or values are given."""
        usual = rows if self.values is None else None
        return replace(self, rows=self.rows or usual, seed=seed)

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.columns or COLUMNS


def independent(shape: Shape) -> pl.DataFrame:
    """Every column 1 … n: the independent sets, linear.

    >>> independent(Shape(rows=2, columns=2)).rows()
    [(1, 1), (2, 2)]
    """
    values = np.arange(1, _rows(shape) + 1)
    return pl.DataFrame({f"A{i}": values for i in range(shape.width)})


def squares(shape: Shape) -> pl.DataFrame:
    """The same with squares, the thesis' quadratic sets: values that become sparser."""
    return independent(shape).select(pl.all() ** 2)


def dependent(shape: Shape) -> pl.DataFrame:
    """All combinations of 1 … V, or of the fewest values that give at least the rows asked for.

    >>> dependent(Shape(values=2, columns=2)).rows()
    [(1, 1), (1, 2), (2, 1), (2, 2)]
    >>> dependent(Shape(rows=8)).height, dependent(Shape(rows=9)).height
    (8, 27)
    """
    if shape.values is not None and shape.rows is not None:
        raise InputError("Rows follow from values and columns. Leave out --rows, or --values.")
    fewest = int(np.ceil(round((shape.rows or 1) ** (1 / shape.width), 9)))
    n_values = shape.values or fewest
    if n_values**shape.width > MOST_ROWS:
        raise InputError(
            f"{n_values:,} values in {shape.width} columns have more than {MOST_ROWS:,} "
            "combinations. Ask for fewer of either."
        )
    grids = np.meshgrid(*[np.arange(1, n_values + 1)] * shape.width, indexing="ij")
    return pl.DataFrame({f"A{i}": grid.ravel() for i, grid in enumerate(grids)})


def dependent_squares(shape: Shape) -> pl.DataFrame:
    """All combinations of the squares of 1 … V.

    >>> dependent_squares(Shape(values=2, columns=1)).rows()
    [(1,), (4,)]
    """
    return dependent(shape).select(pl.all() ** 2)


def random_numbers(shape: Shape) -> pl.DataFrame:
    """Independent columns of uniform random numbers from 1 to n: the thesis' random data sets."""
    n, rng = _rows(shape), np.random.default_rng(shape.seed)
    return pl.DataFrame({f"A{i}": rng.integers(1, n + 1, n) for i in range(shape.width)})


def _rows(shape: Shape) -> int:
    if shape.values is not None or shape.rows is None:
        raise InputError(
            "Its columns have as many values as rows. Leave out --values; "
            "the sets 'dependent' and 'dependent_squares' take it."
        )
    return shape.rows
