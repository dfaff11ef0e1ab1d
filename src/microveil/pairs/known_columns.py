"""A release beside its original, as attacks see them: which columns, which rows, which numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import ColumnError, InputError, quoted
from microveil.pairs.alignment import aligned, common_columns
from microveil.tables import Roles, Table
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import is_number, numbers_of
from microveil.tables.roles import check_columns

Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]

LARGEST = 1e150
"""Beyond this a square could overflow."""


class Pair(NamedTuple):
    """Original and release, row beside row."""

    columns: tuple[str, ...]
    before: Table
    """The original's rows that the release kept, in the release's order."""
    after: Table
    origin: Rows
    """Position in the original of each row of the release."""

    @property
    def n_records(self) -> int:
        """Rows of the release."""
        return self.after.height

    def has_numbers(self, name: str) -> bool:
        """Whether a column holds numbers before and after."""
        return is_number(self.before.frame.schema[name]) and is_number(
            self.after.frame.schema[name]
        )


class PairedNumbers(NamedTuple):
    """Columns of numbers before and after, (records, columns); NaN where a cell is missing."""

    columns: tuple[str, ...]
    before: Numbers
    after: Numbers

    @property
    def present(self) -> NDArray[np.bool_]:
        """Records that miss no cell on either side."""
        return np.asarray(~(np.isnan(self.before).any(axis=1) | np.isnan(self.after).any(axis=1)))


def paired(original: Table | None, released: Table, columns: tuple[str, ...]) -> Pair:
    """The named columns, or all that both tables have and an intruder may know.

    Identifiers, weights, households and entities are compared only when named, and so are columns
    with nested cells or infinite numbers, which are refused then.
    """
    if original is None:
        raise InputError("This measure looks at a release beside its original: give both tables.")
    before = aligned(original, released)
    if columns:
        check_columns(columns, original.columns)
        check_columns(columns, released.columns)
        for table in (before, released):
            refuse_nested(table.frame, columns, "Linkage")
            refuse_infinite(table, columns)
    else:
        hidden = {*_unknown(original.roles), *_unknown(released.roles)}
        columns = tuple(
            name
            for name in common_columns(before, released)
            if name not in hidden and all(_usable(t.frame[name]) for t in (before, released))
        )
    origin = np.arange(released.height) if released.rows is None else released.rows
    return Pair(columns, before, released, origin)


def paired_numbers(
    original: Table | None, released: Table, columns: tuple[str, ...]
) -> PairedNumbers:
    """The named columns, or all that hold numbers on both sides; dates count in their unit."""
    pair = paired(original, released, columns)
    fitting = tuple(name for name in pair.columns if pair.has_numbers(name))
    if columns and len(fitting) < len(columns):
        wrong = [name for name in columns if name not in fitting]
        raise ColumnError(
            f"Column {quoted(wrong)} does not hold numbers on both sides. Name other columns."
        )
    return PairedNumbers(
        fitting, number_matrix(pair.before, fitting), number_matrix(pair.after, fitting)
    )


def number_matrix(table: Table, columns: tuple[str, ...]) -> Numbers:
    """Columns side by side as floats, NaN where missing."""
    if not columns:
        return np.zeros((table.height, 0))
    return np.column_stack([numbers_of(table.frame[name]) for name in columns])


def refuse_infinite(table: Table, columns: tuple[str, ...]) -> None:
    """Raise for columns whose numbers are infinite, or too large to be squared."""
    wild = [name for name in columns if not _finite(table.frame[name])]
    if wild:
        raise ColumnError(
            f"Column {quoted(wild)} holds infinite or overlarge numbers. Make them missing first, "
            "or name other columns."
        )


def _unknown(roles: Roles) -> tuple[str, ...]:
    """Columns that no intruder is expected to know."""
    single = (roles.weight, roles.household, roles.entity)
    return (*roles.identifiers, *(name for name in single if name is not None))


def _usable(column: pl.Series) -> bool:
    nested = column.dtype.is_nested() or column.dtype == pl.Object
    return not nested and _finite(column)


def _finite(column: pl.Series) -> bool:
    if not column.dtype.is_numeric():
        return True
    values = column.cast(pl.Float64).drop_nulls().drop_nans()
    return bool((values.abs() <= LARGEST).all())
