"""The numbers of original and release, row beside row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import ColumnError, quoted
from microveil.labels.notation import midpoints
from microveil.pairs.alignment import aligned, common_columns
from microveil.tables import Table
from microveil.tables.kinds import is_number
from microveil.tables.roles import check_columns

Numbers = NDArray[np.float64]


class Paired(NamedTuple):
    """Columns of numbers before and after, (records, columns); NaN where a cell is missing."""

    columns: tuple[str, ...]
    before: Numbers
    after: Numbers

    @property
    def complete(self) -> Paired:
        """Only the records that miss no cell on either side."""
        keep = np.ones(len(self.before), dtype=np.bool_)
        for number in range(len(self.columns)):
            keep &= ~(np.isnan(self.before[:, number]) | np.isnan(self.after[:, number]))
        return self if keep.all() else Paired(self.columns, self.before[keep], self.after[keep])


def paired_numbers(original: Table, released: Table, columns: tuple[str, ...]) -> Paired:
    """The named columns, or all that hold numbers on both sides, rows aligned.

    Dates and durations count in their unit. Where the release has labels in place of numbers, an
    interval is its middle and ``*`` is missing; so is NaN. Columns with infinite numbers are
    refused by name, and left out where nobody named them.
    """
    before = aligned(original, released)
    named = columns
    if named:
        check_columns(named, original.columns)
        check_columns(named, released.columns)
    else:
        columns = tuple(common_columns(original, released))
    readings = {
        name: numeric_reading(original.frame[name], released.frame[name]) for name in columns
    }
    wrong = [name for name, reading in readings.items() if reading is None]
    if named and wrong:
        raise ColumnError(
            f"Column {quoted(wrong)} does not hold numbers on both sides. Name other columns."
        )
    after = [reading for reading in readings.values() if reading is not None]
    if not named:
        after = [one for one in after if _finite(one) and _finite(original.frame[one.name])]
    names = tuple(one.name for one in after)
    return Paired(names, _matrix([before.frame[name] for name in names]), _matrix(after))


def numeric_reading(before: pl.Series, after: pl.Series) -> pl.Series | None:
    """The released column as numbers, intervals by their middle; none if it holds none."""
    if not is_number(before.dtype):
        return None
    if is_number(after.dtype):
        return after
    if after.dtype.is_nested() or after.dtype in (pl.Object, pl.Boolean, pl.Binary):
        return None
    return midpoints(after, before)


def _finite(column: pl.Series) -> bool:
    return not column.dtype.is_float() or not bool(column.is_infinite().any())


def _matrix(columns: list[pl.Series]) -> Numbers:
    """Columns side by side, (records, columns), each contiguous."""
    height = len(columns[0]) if columns else 0
    numbers = np.empty((height, len(columns)), order="F")
    infinite = [column.name for column in columns if not _finite(column)]
    if infinite:
        raise ColumnError(f"Column {quoted(infinite)} holds infinite numbers.")
    for number, column in enumerate(columns):
        filled = column.to_physical().cast(pl.Float64).fill_null(float("nan"))
        numbers[:, number] = filled.to_numpy()
    return numbers
