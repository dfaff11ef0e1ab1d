"""ClassIndex: the class of each row among very many, without a new hash table for each part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.tables.names import free_name

MANY = 100_000
"""Classes from which they are found by sorted numbers: a join would hash them for each part."""
LARGEST = 2**62
"""Combinations of values that one integer can number."""


@dataclass(frozen=True, eq=False)
class ClassIndex:
    """The classes: distinct rows of some columns."""

    keys: pl.DataFrame

    def places(self, rows: pl.DataFrame) -> pl.Series:
        """The class of each row; missing if there is none.

        >>> index = ClassIndex(pl.DataFrame({"a": ["x", None]}))
        >>> index.places(pl.DataFrame({"a": [None, "y", "x"]})).to_list()
        [1, None, 0]
        """
        if self.keys.height < MANY or self._combinations > LARGEST:
            return places(self.keys, rows)
        wanted = self._numbers(rows)
        ascending, order = self._sorted
        at = np.minimum(np.searchsorted(ascending, wanted), len(ascending) - 1)
        found = np.where(ascending[at] == wanted, order[at], -1)
        return pl.Series(found).replace(-1, None)

    @cached_property
    def _values(self) -> list[pl.DataFrame]:
        """The distinct values of each column."""
        return [self.keys.select(name).unique(maintain_order=True) for name in self.keys.columns]

    @property
    def _combinations(self) -> int:
        return prod(one.height for one in self._values)

    @cached_property
    def _sorted(self) -> tuple[Longs, Longs]:
        """The numbers of the classes, ascending, and which class has each."""
        numbers = self._numbers(self.keys)
        order = np.argsort(numbers)
        return numbers[order], order

    def _numbers(self, rows: pl.DataFrame) -> Longs:
        """Each row's combination of values as a number; −1 if a value is in no class."""
        numbers = np.zeros(rows.height, np.int64)
        unknown = np.zeros(rows.height, np.bool_)
        for values in self._values:
            found = places(values, rows).fill_null(-1).to_numpy()
            unknown |= found < 0
            numbers = numbers * values.height + found
        return np.where(unknown, -1, numbers)


def places(keys: pl.DataFrame, rows: pl.DataFrame) -> pl.Series:
    """The row of ``keys`` that equals each row; missing if there is none.

    >>> keys = pl.DataFrame({"a": ["x", None]})
    >>> places(keys, pl.DataFrame({"a": [None, "y", "x"]})).to_list()
    [1, None, 0]
    """
    number = free_name("place", keys.columns)
    if not keys.width:
        return pl.Series(number, np.zeros(rows.height, np.int64))
    numbered = keys.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias(number))
    wanted = rows.select(
        pl.col(name) if rows.schema[name] == dtype else pl.col(name).cast(dtype)
        for name, dtype in keys.schema.items()
    )
    found = wanted.join(
        numbered, on=keys.columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return found[number]
