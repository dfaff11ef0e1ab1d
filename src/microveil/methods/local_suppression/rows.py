"""Keys as small codes, and the distinct rows of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Ints, Longs
from microveil.cores import map_on_cores
from microveil.tables.codes import ON_CORES_FROM, PACKED_LIMIT, Codes, encode, number_codes


class Distinct(NamedTuple):
    """The distinct rows of a table of codes."""

    codes: Ints
    counts: Longs
    row: Longs
    """Distinct row of each record."""


def coded_keys(frame: pl.DataFrame) -> Ints:
    """Small codes of each column, −1 for missing cells, 0 for the most frequent value.

    >>> coded_keys(pl.DataFrame({"a": [9000000000, None, 30, 30]})).tolist()
    [[1], [-1], [0], [0]]
    """
    codes = np.full(frame.shape, -1, dtype=np.int32)

    def fill(number: int) -> None:
        series = frame.to_series(number)
        there = series.is_not_null().to_numpy()
        codes[there, number] = by_frequency(encode(series).values[there])

    spread = map_on_cores if frame.height >= ON_CORES_FROM else map
    list(spread(fill, range(frame.width)))
    return codes


def by_frequency(values: Longs) -> Longs:
    """The same codes numbered by frequency, ties in order of appearance.

    The codes of categoricals depend on the order in which the process met them; ties must not.
    """
    radix = int(values.max(initial=-1)) + 1
    if radix > 4 * len(values):
        values = np.unique(values, return_inverse=True)[1]
        radix = int(values.max(initial=-1)) + 1
    first = np.full(radix, len(values), dtype=np.int64)
    # Of equal indices the last assignment wins, so go backwards.
    first[values[::-1]] = np.arange(len(values) - 1, -1, -1)
    rank = np.empty(radix, dtype=np.int64)
    rank[np.lexsort((first, -np.bincount(values, minlength=radix)))] = np.arange(radix)
    return rank[values]


def distinct_rows(codes: Ints) -> Distinct:
    """Number the distinct rows, in the order of their codes."""
    label = np.zeros(len(codes), dtype=np.int64)
    radix = 1
    for column in codes.T:
        levels = int(column.max(initial=-1)) + 2
        if radix * levels > PACKED_LIMIT:
            label = np.unique(label, return_inverse=True)[1]
            radix = int(label.max()) + 1
        label = label * levels + (column + 1)
        radix *= levels
    numbered = number_codes(Codes(label, radix))
    return Distinct(codes[numbered.first], numbered.counts, numbered.of_record)
