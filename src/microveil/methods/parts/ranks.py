"""Moving the values of a column among its rows: their rank order, and the moved column."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Ints
from microveil.tables.kinds import refuse_infinite
from microveil.texts import phrase

Source = NDArray[np.uint32]
Values = NDArray[Any]

PART = 1 << 18
"""Cells processed at a time if another whole column would not fit in memory."""


def needs_order(step: str) -> str:
    """The message for a column that has no ranks."""
    return phrase(
        "Step '{step}' needs ordered values: numbers, dates, durations, enums, booleans. Use "
        "permute or pram for categories, or make them an enum.",
        step=step,
    )


def sortable(series: pl.Series) -> Values:
    """Numbers in the order of the values; arbitrary for missing ones."""
    refuse_infinite(series)
    dtype = series.dtype
    if isinstance(dtype, pl.Enum) or dtype.is_temporal():
        series = series.to_physical()
    elif not dtype.is_float() and (not dtype.is_integer() or dtype in (pl.Int128, pl.UInt128)):
        series = series.rank("dense")
    return series.fill_null(0).to_numpy()


def rows_present(series: pl.Series, strata: list[Ints]) -> list[Ints]:
    """The rows of each stratum with a non-missing cell."""
    if not series.null_count():
        return strata
    present = series.is_not_null().to_numpy()
    return [rows[present[rows]] for rows in strata]


def rank_order(values: Values, rows: Ints, rng: np.random.Generator) -> Ints:
    """The rows in ascending order of their values, ties in random order.

    >>> rows = np.array([0, 1, 3], dtype=np.int32)
    >>> rank_order(np.array([3, 1, 9, 2]), rows, np.random.default_rng(0)).tolist()
    [1, 3, 0]
    """
    everywhere = len(rows) == len(values)
    order = _random_ties(values if everywhere else values[rows], rng)
    return order if everywhere else rows[order]


def _random_ties(values: Values, rng: np.random.Generator) -> Ints:
    order = np.argsort(values)
    ordered = values[order]
    new_run = ordered[1:] != ordered[:-1]
    del ordered
    if new_run.all():
        return order.astype(np.int32)
    # Sorted by run of equal values, then by a random number that leads back to the position.
    # The order of ties from the unstable sort, which differs by machine, is discarded.
    key = np.zeros(len(values), dtype=np.int64)
    key[1:] = new_run
    np.cumsum(key, out=key)
    del new_run
    key *= len(values)
    lot = rng.permutation(len(values))
    for start in range(0, len(values), PART):
        key[start : start + PART] += lot[order[start : start + PART]]
    del order
    key.sort()
    key %= len(values)
    position = np.empty(len(values), dtype=np.int32)
    position[lot] = np.arange(len(values), dtype=np.int32)
    del lot
    return position[key]


def own_places(n: int) -> Source:
    """The source of each cell while nothing has moved."""
    # In Polars' row index type, which saves a conversion.
    return np.arange(n, dtype=np.uint32)


def gather_from(series: pl.Series, source: Source) -> pl.Series:
    """The column whose cell i is the old cell ``source[i]``."""
    return series.gather(pl.Series(source))
