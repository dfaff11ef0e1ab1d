"""Rows sorted by what they contain: an order that is the same however a table was shuffled."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.tables.values import as_text


def content_order(*frames: pl.DataFrame) -> Longs:
    """Rows in the order of their cells, frame by frame and column by column; missing first.

    All frames have the same rows. Rows that are equal in every frame keep their order.

    >>> content_order(pl.DataFrame({"x": [3, 1, 2]})).tolist()
    [1, 2, 0]
    """
    keys = [_sortable(column) for frame in frames for column in frame.get_columns()]
    if not keys:
        return np.arange(frames[0].height if frames else 0)
    named = pl.DataFrame([key.alias(str(place)) for place, key in enumerate(keys)])
    order = named.select(pl.arg_sort_by(named.columns, maintain_order=True)).to_series()
    return order.to_numpy().astype(np.int64)


def _sortable(column: pl.Series) -> pl.Series:
    """Texts by their letters, not by the place that a dictionary gave them."""
    if isinstance(column.dtype, pl.Categorical | pl.Enum):
        return as_text(column)
    return column
