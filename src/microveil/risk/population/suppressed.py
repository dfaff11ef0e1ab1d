"""Records that have no key left: what an intruder who knows keys cannot look for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.populations.population_file import plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from microveil.tables import Missing, Table

SUPPRESSED = "*"
"""What a suppressed text cell holds; a missing cell is as good."""


def unsuppressed(
    table: Table, keys: Sequence[str], missing: Missing = "category"
) -> tuple[Table, NDArray[np.int64]]:
    """The records with a key that is neither missing nor ``*``, and where they stand.

    Where missing keys are wildcards, ``*`` becomes missing in the records that stay.
    """
    if not keys:
        return table, np.arange(table.height)
    stars = {name: _starred(table.frame[name]) for name in keys}
    gone = np.ones(table.height, dtype=np.bool_)
    for name, star in stars.items():
        gone &= (table.frame[name].is_null() | star).to_numpy()
    if missing == "wildcard":
        blanked = [
            table.frame.select(pl.when(~star).then(pl.col(name)).alias(name)).to_series()
            for name, star in stars.items()
            if star.any()
        ]
        table = table.with_columns(blanked)
    return table.filter(~gone), np.flatnonzero(~gone)


def _starred(column: pl.Series) -> pl.Series:
    if not plain_text(column.dtype):
        return pl.repeat(value=False, n=len(column), eager=True)
    return (column.cast(pl.String) == SUPPRESSED).fill_null(value=False)
