"""Numbers of the original and the release, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats
from microveil.errors import ColumnError
from microveil.labels.notation import midpoints
from microveil.pairs.alignment import align, common_columns
from microveil.tables import Table
from microveil.tables.kinds import LARGEST, is_number, numbers_of
from microveil.tables.roles import check_columns


class PairedNumbers(NamedTuple):
    """Numeric columns before and after, (records, columns); NaN where a cell is missing."""

    columns: tuple[str, ...]
    before: Floats
    after: Floats

    @property
    def present(self) -> NDArray[np.bool_]:
        """Records with no missing cell in either table."""
        keep = np.ones(len(self.before), dtype=np.bool_)
        for number in range(len(self.columns)):
            keep &= ~(np.isnan(self.before[:, number]) | np.isnan(self.after[:, number]))
        return keep

    @property
    def complete(self) -> PairedNumbers:
        """Only the records with no missing cell in either table."""
        keep = self.present
        if keep.all():
            return self
        return PairedNumbers(self.columns, self.before[keep], self.after[keep])


def paired_numbers(original: Table, released: Table, columns: tuple[str, ...]) -> PairedNumbers:
    """The named columns, or all that are numeric in both tables, with rows aligned.

    Dates and durations count in their unit. Where the release has labels instead of numbers, an
    interval counts as its midpoint, and ``*`` and NaN as missing. Infinite numbers, and those too
    large to be squared, lie a whole range beyond all others.
    """
    before = align(original, released)
    if columns:
        check_columns(columns, original.columns)
        check_columns(columns, released.columns)
    there = columns or common_columns(original, released)
    found = {name: released_numbers(original.frame[name], released.frame[name]) for name in there}
    if columns:
        refuse_other_kinds(columns, [name for name, one in found.items() if one is not None])
    after = [one for one in found.values() if one is not None]
    names = tuple(one.name for one in after)
    found.clear()  # what labels were read as is held once, in the matrix
    height = released.height if names else 0
    ours, theirs = (np.empty((height, len(names)), order="F") for _ in range(2))
    for number in reversed(range(len(names))):
        sides = settle_infinite(numbers_of(before.frame[names[number]]), numbers_of(after.pop()))
        ours[:, number], theirs[:, number] = sides
    return PairedNumbers(names, ours, theirs)


def complete_numbers(original: Table, released: Table, columns: tuple[str, ...]) -> PairedNumbers:
    """As :func:`paired_numbers`, but only the records with no missing cell in either table."""
    found = paired_numbers(original, released, columns)
    keep = found.present
    if keep.all():
        return found
    n_kept = int(keep.sum())
    for side in (found.before, found.after):
        for column in side.T:  # in place: a second pair of matrices may be too much
            column[:n_kept] = column[keep]
    return PairedNumbers(found.columns, found.before[:n_kept], found.after[:n_kept])


def has_numbers(original: Table, released: Table) -> bool:
    """Whether a column is numeric before, and holds numbers or their labels after."""
    return any(
        released_numbers(original.frame[name], released.frame[name]) is not None
        for name in common_columns(original, released)
    )


def released_numbers(before: pl.Series, after: pl.Series) -> pl.Series | None:
    """The released column as numbers, intervals as their midpoints; None if it holds none."""
    if not is_number(before.dtype):
        return None
    if is_number(after.dtype):
        return after
    if after.dtype.is_nested() or after.dtype in (pl.Object, pl.Boolean, pl.Binary):
        return None
    return midpoints(after, before)


def refuse_other_kinds(columns: Sequence[str], fitting: Sequence[str]) -> None:
    """Raise an error for named columns that are not numeric in both tables."""
    wrong = [name for name in columns if name not in fitting]
    if wrong:
        raise ColumnError(
            "Column {wrong:quoted} does not hold numbers in both tables. Name other columns.",
            wrong=wrong,
        )


def settle_infinite(*sides: Floats) -> tuple[Floats, ...]:
    """The same numbers, with infinite ones a whole range beyond all others of these columns.

    Numbers too large to be squared count as infinite. Two of them are equal, and farther from any
    other number than the others are from each other.

    >>> sides = np.array([1.0, np.inf]), np.array([5.0, np.nan])
    >>> [side.tolist() for side in settle_infinite(*sides)]
    [[1.0, 9.0], [5.0, nan]]
    """
    if all(bool((np.abs(side[~np.isnan(side)]) <= LARGEST).all()) for side in sides):
        return sides
    every = np.concatenate(sides)
    finite = every[np.abs(np.nan_to_num(every, nan=np.inf)) <= LARGEST]
    least, most = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    away = (most - least) or 1.0
    return tuple(
        np.where(side > LARGEST, most + away, np.where(side < -LARGEST, least - away, side))
        for side in sides
    )


def number_matrix(columns: Sequence[pl.Series], order: Literal["C", "F"] = "F") -> Floats:
    """Columns as a matrix of floats, (records, columns), NaN where missing."""
    height = len(columns[0]) if columns else 0
    numbers = np.empty((height, len(columns)), order=order)
    for number, column in enumerate(columns):
        numbers[:, number] = numbers_of(column)
    return numbers
