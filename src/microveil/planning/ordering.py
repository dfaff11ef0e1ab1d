"""Ordering a frequency table by its keys, several times faster than a sort of its columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.tables.codes import PACKED_LIMIT


def in_order(frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """The rows sorted by some columns, missing values first.

    Each column becomes the rank of its values, and all ranks one number, which sorts fastest.

    >>> in_order(pl.DataFrame({"a": ["y", None, "x"], "n": [1, 2, 3]}), ["a"])["n"].to_list()
    [2, 3, 1]
    """
    # Polars sorts and looks up many chunks at several times the cost of one.
    frame = frame.rechunk()
    packed = np.zeros(frame.height, dtype=np.int64)
    radix = 1
    for name in columns:
        ranks, n_ranks = _ranks(frame[name])
        if radix * n_ranks > PACKED_LIMIT:
            return frame.sort(columns)
        packed = packed * n_ranks + ranks
        radix *= n_ranks
    return frame[np.argsort(packed, kind="stable")]


def _ranks(column: pl.Series) -> tuple[NDArray[np.int64], int]:
    """The rank of each value, 0 if missing; ranks may have gaps, which do no harm."""
    if column.null_count() == len(column):
        return np.zeros(len(column), dtype=np.int64), 1
    numbers = _numbers(column)
    low, high = int(numbers.min()), int(numbers.max())  # type: ignore[arg-type]
    if high - low > max(1 << 20, len(column)):
        numbers = numbers.rank("dense")
        low, high = 1, int(numbers.max())  # type: ignore[arg-type]
    ranks = (numbers.cast(pl.Int64) - (low - 1)).fill_null(0).to_numpy()
    return ranks, high - low + 2


def _numbers(column: pl.Series) -> pl.Series:
    """Whole numbers in the order of the values."""
    dtype = column.dtype
    if dtype == pl.String or isinstance(dtype, pl.Categorical):
        text = column.cast(pl.String)
        # Few distinct values, many rows: a dictionary in their order costs less than ranking.
        return text.cast(pl.Enum(text.unique().drop_nulls().sort())).to_physical()
    if isinstance(dtype, pl.Enum) or dtype.is_temporal():
        return column.to_physical()
    if dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128, pl.UInt128):
        return column
    if dtype == pl.Boolean:
        return column.cast(pl.Int8)
    return column.rank("dense")
