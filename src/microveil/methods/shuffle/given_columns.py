"""Columns that a shuffle conditions on: as ranks, and as 0/1 columns of categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats
from microveil.statistics.normal_scores import Known
from microveil.tables.codes import encode
from microveil.tables.kinds import is_number, refuse_infinite

T = TypeVar("T", np.float64, np.int64)


def known_columns(columns: Sequence[pl.Series], n_records: int) -> Known:
    """Ranks of numbers, dates and durations; other columns become one 0/1 column per category.

    The first category has none. Missing is a category of its own, including for numbers, whose
    missing cells also take the middle rank.
    """
    ranks: list[Floats] = []
    codes: list[NDArray[np.int64]] = []
    counts: list[NDArray[np.int64]] = []
    for series in columns:
        if is_number(series.dtype):
            refuse_infinite(series)
            ranks.append(middle_ranks(series))
            if not 0 < series.null_count() < n_records:
                continue
            category = series.is_null().cast(pl.Int64).to_numpy()
        else:
            category = np.unique(encode(series).values, return_inverse=True)[1]
        codes.append(np.where(category > 0, category - 1 + sum(map(len, counts)), -1))
        counts.append(np.bincount(category, minlength=1)[1:])
    return Known(
        _side_by_side(ranks, n_records, np.float64),
        _side_by_side(codes, n_records, np.int64),
        np.concatenate([np.empty(0), *counts]) / max(n_records, 1),
    )


def _side_by_side(columns: Sequence[NDArray[T]], n: int, dtype: type[T]) -> NDArray[T]:
    return np.column_stack(columns) if columns else np.empty((n, 0), dtype=dtype)


def middle_ranks(series: pl.Series) -> Floats:
    """Average ranks of the present cells, the middle rank for missing ones.

    >>> middle_ranks(pl.Series([5, 9, None, 9])).tolist()
    [1.0, 2.5, 2.0, 2.5]
    """
    n_present = len(series) - series.null_count()
    middle = ((n_present or len(series)) + 1) / 2
    if isinstance(series.dtype, pl.Enum):
        series = series.to_physical()
    return series.rank("average").fill_null(middle).to_numpy()
