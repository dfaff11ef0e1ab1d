"""Loss: what is left of the distinctions that a column made between records."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Longs


def distinctions(counts: Longs) -> float:
    """Pairs of records that a column tells apart, given how many records have each value.

    >>> distinctions(np.array([2, 1]))
    2.0
    """
    sizes = counts.astype(np.float64)
    return float((sizes.sum() ** 2 - (sizes**2).sum()) / 2)


def column_distinctions(values: pl.Series) -> float:
    """The same for a column; a missing cell tells nothing.

    >>> column_distinctions(pl.Series(["a", "b", None]))
    1.0
    """
    return distinctions(values.drop_nulls().unique_counts().to_numpy().astype(np.int64))


def kept_share(before: pl.Series, after: pl.Series | None) -> float:
    """Share of the pairs of records that a column told apart and still does; 0 if it is gone.

    >>> kept_share(pl.Series([1, 2, 3, 4]), pl.Series(["<3", "<3", "≥3", "≥3"])).__round__(3)
    0.667
    """
    told = column_distinctions(before)
    if after is None:
        return 0.0
    return min(column_distinctions(after) / told, 1.0) if told else 1.0
