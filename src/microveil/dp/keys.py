"""Keys: the group of a breakdown that a row falls into, determined without the data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.dp.declaration import Column, Key
from microveil.errors import QueryError

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration


@dataclass(frozen=True)
class KeyCode:
    """The number of a cell's value among the column's public keys; missing if it is not one."""

    column: str

    def labels(self, declaration: Declaration, join: tuple[str, ...]) -> tuple[Key, ...]:
        """The public keys."""
        keys = declaration.keys_of(self.column, join)
        if keys is None:
            raise QueryError(
                f"Column '{self.column}' has no public keys. Declare `keys: [...]` from public "
                "knowledge, or break a query down by it with a δ for private keys."
            )
        return keys

    def expression(self, declaration: Declaration, join: tuple[str, ...]) -> pl.Expr:
        """The numbers of the keys, as 32-bit integers."""
        keys = self.labels(declaration, join)
        column = declaration.column(self.column, join)
        cells = pl.col(self.column)
        codes = _codes(cells, column, keys)
        if None in keys:
            codes = pl.when(cells.is_null()).then(keys.index(None)).otherwise(codes)
        return codes.cast(pl.Int32)


def _codes(cells: pl.Expr, column: Column, keys: tuple[Key, ...]) -> pl.Expr:
    if column.type == "text":
        # Prepared tables hold such columns as enumerations of their keys.
        return cells.to_physical().cast(pl.Int32)
    if column.type == "integer" and column.keys is None:
        first, last = int(str(keys[0])), int(str(keys[-1]))
        # A value beyond the bounds is not a key: it must not fall into another group.
        return pl.when(cells.is_between(first, last)).then(cells - first)
    known = {at: key for at, key in enumerate(keys) if key is not None}
    old: list[Any] = list(known.values())
    if column.type == "date":
        old = [date.fromisoformat(str(key)) for key in old]
    new = list(known)
    return cells.replace_strict(old, new, default=None, return_dtype=pl.Int32)


@dataclass(frozen=True)
class BinCode:
    """The number of a value's bin; values beyond the edges fall into the first or last bin."""

    column: str
    edges: tuple[float, ...]

    def labels(self, declaration: Declaration, join: tuple[str, ...]) -> tuple[Key, ...]:
        """The bins as intervals, closed below; the last one on both sides."""
        declaration.ordered_bounds(self.column, join)
        *most, last = pairwise(self.edges)
        return (
            *(f"[{low:g}, {high:g})" for low, high in most),
            f"[{last[0]:g}, {last[1]:g}]",
        )

    def expression(self, declaration: Declaration, join: tuple[str, ...]) -> pl.Expr:
        """The numbers of the bins, as 32-bit integers."""
        del declaration, join
        cells = pl.col(self.column).to_physical().cast(pl.Float64)
        numbers = cells.map_batches(self._numbers, return_dtype=pl.Int32)
        return pl.when(cells.is_not_null()).then(numbers)

    def _numbers(self, cells: pl.Series) -> pl.Series:
        inner = np.asarray(self.edges[1:-1])
        numbers = np.searchsorted(inner, cells.fill_null(0.0).to_numpy(), side="right")
        return pl.Series(cells.name, numbers.astype(np.int32))
