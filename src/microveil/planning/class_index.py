"""ClassIndex: the class of each row among very many, without a new hash table for each part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

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
        at = _search(ascending, wanted)
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
        for values, index in zip(self._values, self._indexes, strict=True):
            known = places(values, rows) if index is None else index.places(rows)
            found = known.fill_null(-1).to_numpy()
            unknown |= found < 0
            numbers = numbers * values.height + found
        return np.where(unknown, -1, numbers)

    @cached_property
    def _indexes(self) -> list[ValueIndex | None]:
        """How values of each column are found, if there are many; None for a join."""
        return [ValueIndex.of(values) if values.height >= MANY else None for values in self._values]


@dataclass(frozen=True, eq=False)
class ValueIndex:
    """Very many values of one column, found by their hashes, which are sorted once."""

    values: pl.Series
    hashes: NDArray[np.uint64]
    order: Longs

    @classmethod
    def of(cls, values: pl.DataFrame) -> ValueIndex | None:
        """The index of a column of distinct values; None if two have one hash."""
        column = values.to_series()
        hashes = column.hash().to_numpy()
        order = np.argsort(hashes)
        ascending = hashes[order]
        if (ascending[1:] == ascending[:-1]).any():
            return None
        return cls(column, ascending, order)

    def places(self, rows: pl.DataFrame) -> pl.Series:
        """The place of each row's value; missing if there is none."""
        wanted = rows[self.values.name]
        wanted = wanted if wanted.dtype == self.values.dtype else wanted.cast(self.values.dtype)
        found = self.order[_search(self.hashes, wanted.hash().to_numpy())]
        # A value that is not there may have the hash of one that is.
        same = self.values.gather(found).eq_missing(wanted)
        return pl.select(pl.when(same).then(pl.Series(found))).to_series()


def _search(ascending: NDArray[Any], wanted: NDArray[Any]) -> Longs:
    """Where each number is, or would be, among ascending ones; the last place at most.

    Numbers that are looked up in their order find their neighbours in the cache.
    """
    order = np.argsort(wanted)
    at = np.empty(len(wanted), np.int64)
    at[order] = np.searchsorted(ascending, wanted[order])
    return np.minimum(at, len(ascending) - 1)


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
