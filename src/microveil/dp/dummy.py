"""Dummy tables: artificial rows generated from a declaration, to try queries for free."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.dp.declaration import Column, as_declaration

if TYPE_CHECKING:
    from numpy.random import Generator

_TYPES = {
    "integer": pl.Int64,
    "real": pl.Float64,
    "boolean": pl.Boolean,
    "text": pl.String,
    "date": pl.Date,
}


def dummy_table(declaration: Any, rows: int = 1000, seed: int | None = None) -> pl.DataFrame:
    """A table like the declared one but about nobody: uniform values, one row per entity.

    >>> declared = {"columns": {"age": {"type": "integer", "bounds": [0, 110]}}}
    >>> dummy_table(declared, rows=3).columns
    ['age']
    """
    declaration = as_declaration(declaration)
    rng = np.random.default_rng(seed)
    n = declaration.size or 0 if declaration.size_is_public else rows
    frame = pl.DataFrame(
        {
            name: pl.Series(_values(column, n, rng), dtype=_TYPES[column.type], strict=False)
            for name, column in declaration.columns.items()
        }
    )
    if declaration.entity is not None:
        frame = frame.with_columns(pl.int_range(pl.len()).alias(declaration.entity.column))
    return frame


def dummy_public(declaration: Any, seed: int | None = None) -> dict[str, pl.DataFrame]:
    """Artificial versions of the declared public tables, with one row for each public key."""
    declaration = as_declaration(declaration)
    rng = np.random.default_rng(seed)
    made = {}
    for name, table in declaration.tables.items():
        shared = declaration.columns[table.key]
        keys = [key for key in shared.public_keys() or ("a", "b") if key is not None]
        columns = {
            other: pl.Series(_values(column, len(keys), rng), dtype=_TYPES[column.type])
            for other, column in table.columns.items()
        }
        dated = [date.fromisoformat(str(key)) for key in keys] if shared.type == "date" else keys
        made[name] = pl.DataFrame({table.key: dated, **columns})
    return made


def _values(column: Column, rows: int, rng: Generator) -> list[Any]:
    keys = column.public_keys() if column.type != "real" else None
    if keys is not None and (column.keys is not None or column.type == "boolean"):
        picked = [keys[at] for at in rng.integers(len(keys), size=rows)]
        if column.type != "date":
            return picked
        return [None if key is None else date.fromisoformat(str(key)) for key in picked]
    if column.type == "text":
        return [f"value {number}" for number in rng.integers(20, size=rows)]
    low, high = column.limits or (0, 100)
    if column.type == "real":
        return list(rng.uniform(low, high, rows).tolist())
    whole = rng.integers(int(low), int(high), size=rows, endpoint=True)
    if column.type == "integer":
        return list(whole.tolist())
    return [date(1970, 1, 1) + timedelta(days=int(day)) for day in whole]
