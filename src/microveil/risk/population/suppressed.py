"""Fully suppressed records: those that an intruder who knows the keys cannot search for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from microveil.populations.population_file import plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from microveil.tables import Classes, Table

SUPPRESSED = "*"
"""Content of a suppressed text cell; a missing cell counts the same."""


def suppressed_classes(classes: Classes) -> NDArray[np.bool_]:
    """Classes with every key missing or ``*``.

    >>> from microveil.tables import Classes, Table
    >>> suppressed_classes(Classes.of(Table({"a": ["x", "*"]}), ["a"])).tolist()
    [True, False]
    """
    return classes.where_all(lambda column: column.is_null() | _is_star(column))


def stars_blanked(table: Table, keys: Sequence[str]) -> Table:
    """The table with ``*`` replaced by missing, for counts that treat both alike."""
    stars = {name: _is_star(table.frame[name]) for name in keys}
    return table.with_columns(
        table.frame.select(pl.when(~star).then(pl.col(name)).alias(name)).to_series()
        for name, star in stars.items()
        if star.any()
    )


def _is_star(column: pl.Series) -> pl.Series:
    if not plain_text(column.dtype):
        return pl.repeat(value=False, n=len(column), eager=True)
    return (column.cast(pl.String) == SUPPRESSED).fill_null(value=False)
