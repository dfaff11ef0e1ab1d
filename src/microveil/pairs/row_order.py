"""Detect from the columns whether the rows of a release are in a different order.

Files are written in random order, so the rows of a file rarely match those of its original. Pairing
them anyway would make linkage look impossible and the data look destroyed. A release counts as
reordered when no column is associated with itself across the two tables, although columns that are
associated in the original still are within the release: steps that change every column beyond
recognition would have destroyed those associations as well.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.pairs.alignment import common_columns
from microveil.tables.kinds import is_nested

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.tables import Table

FEWEST_ROWS = 50
"""With fewer rows there is too little evidence."""
MOST_ROWS = 20_000
"""Rows that are compared, evenly spread."""
N_BINS = 8
CERTAIN = 8.0
"""Standard deviations above chance at which two columns count as associated."""


def rows_belong_together(original: Table, released: Table) -> bool:
    """Whether row i of the release came from row i of the original, or the row link is known."""
    if released.synthetic or released.rows is not None:
        return not released.synthetic
    return original.height == released.height and not rows_differ(original, released)


def rows_differ(original: Table, released: Table) -> bool:
    """Whether a release with as many rows as its original has them in a different order.

    >>> from microveil.tables import Table
    >>> table = Table({"x": list(range(100)), "y": list(range(100))})
    >>> rows_differ(table, table), rows_differ(table, table.take(np.arange(100)[::-7 % 100]))
    (False, False)
    """
    if original.height != released.height or original.height < FEWEST_ROWS:
        return False
    names = [
        name
        for name in common_columns(original, released)
        if not any(_unreadable(one.frame.schema[name]) for one in (original, released))
    ]
    places = np.linspace(0, original.height - 1, min(original.height, MOST_ROWS)).astype(np.int64)

    # Mostly the first column already tells.
    @cache
    def before(name: str) -> NDArray[np.int64]:
        return _bins(original.frame[name].gather(places))

    @cache
    def after(name: str) -> NDArray[np.int64]:
        return _bins(released.frame[name].gather(places))

    if any(_go_together(before(name), after(name)) for name in names):
        return False
    return any(
        _go_together(before(one), before(other)) and _go_together(after(one), after(other))
        for one, other in combinations(names, 2)
    )


def _unreadable(dtype: pl.DataType) -> bool:
    return is_nested(dtype)


def _bins(column: pl.Series) -> NDArray[np.int64]:
    """A few bins: ranks of numbers, otherwise the most frequent values; missing has its own."""
    if column.dtype.is_numeric() or column.dtype.is_temporal():
        ranks = column.rank("dense") if column.n_unique() <= N_BINS else column.rank("average")
        share = (ranks / (ranks.max() or 1)).fill_null(-1.0).fill_nan(-1.0).to_numpy()
        return np.where(
            share < 0, N_BINS, np.minimum((share * N_BINS).astype(np.int64), N_BINS - 1)
        )
    frequent = column.value_counts(sort=True).head(N_BINS)[column.name]
    found = pl.DataFrame({"value": column}).join(
        pl.DataFrame({"value": frequent}).with_row_index("bin"),
        on="value",
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    return found["bin"].cast(pl.Int64).fill_null(N_BINS).to_numpy()


def _go_together(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Whether Pearson's χ² of two columns' bins is far beyond chance."""
    size = N_BINS + 1
    counts = np.bincount(one * size + other, minlength=size * size).reshape(size, size)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    if freedom == 0:
        return False
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    distance = float(((counts - expected) ** 2 / expected).sum())
    return bool(distance > freedom + CERTAIN * np.sqrt(2 * freedom))
