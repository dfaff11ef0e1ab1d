"""The numbers of original and release, row beside row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import ColumnError, quoted
from microveil.tables import Table
from microveil.tables.roles import check_columns
from microveil.utility.base import aligned, common_columns

Numbers = NDArray[np.float64]


class Paired(NamedTuple):
    """Columns of numbers before and after, (records, columns); NaN where a cell is missing."""

    columns: tuple[str, ...]
    before: Numbers
    after: Numbers

    @property
    def complete(self) -> Paired:
        """Only the records that miss no cell on either side."""
        keep = ~(np.isnan(self.before).any(axis=1) | np.isnan(self.after).any(axis=1))
        return Paired(self.columns, self.before[keep], self.after[keep])


def paired_numbers(original: Table, released: Table, columns: tuple[str, ...]) -> Paired:
    """The named columns, or all that hold numbers on both sides, rows aligned.

    Dates and durations count in their unit. Columns with infinite numbers are refused by name,
    and left out where nobody named them.
    """
    before = aligned(original, released)
    if columns:
        check_columns(columns, original.columns)
        check_columns(columns, released.columns)
    else:
        columns = tuple(
            name
            for name in common_columns(original, released)
            if all(_numeric(t.frame[name]) and _finite(t.frame[name]) for t in (original, released))
        )
    wrong = [
        name
        for name in columns
        if not (_numeric(before.frame[name]) and _numeric(released.frame[name]))
    ]
    if wrong:
        raise ColumnError(
            f"Column {quoted(wrong)} does not hold numbers on both sides. Name other columns."
        )
    return Paired(columns, _matrix(before, columns), _matrix(released, columns))


def _numeric(column: pl.Series) -> bool:
    return column.dtype.is_numeric() or column.dtype.is_temporal()


def _finite(column: pl.Series) -> bool:
    return not column.dtype.is_float() or bool(column.drop_nulls().is_finite().all())


def _matrix(table: Table, columns: tuple[str, ...]) -> Numbers:
    if not columns:
        return np.zeros((table.height, 0))
    infinite = [name for name in columns if not _finite(table.frame[name])]
    if infinite:
        raise ColumnError(f"Column {quoted(infinite)} holds infinite numbers.")
    numbers: Numbers = table.frame.select(
        pl.col(name).to_physical().cast(pl.Float64).fill_null(float("nan")) for name in columns
    ).to_numpy()
    return numbers
