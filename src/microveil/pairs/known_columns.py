"""A release and its original as an attack sees them: columns, rows and numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import InputError
from microveil.pairs.alignment import aligned, common_columns
from microveil.pairs.numbers import (
    PairedNumbers,
    is_finite,
    number_matrix,
    refuse_infinite,
    refuse_other_kinds,
)
from microveil.tables import Roles, Table
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import is_number
from microveil.tables.roles import check_columns

Rows = NDArray[np.int64]


class Pair(NamedTuple):
    """Original and release with their rows paired."""

    columns: tuple[str, ...]
    before: Table
    """Rows of the original that the release kept, in the order of the release."""
    after: Table
    origin: Rows
    """Position in the original of each released row."""

    @property
    def n_records(self) -> int:
        """Number of rows in the release."""
        return self.after.height

    def has_numbers(self, name: str) -> bool:
        """Whether a column is numeric before and after."""
        return is_number(self.before.frame.schema[name]) and is_number(
            self.after.frame.schema[name]
        )


def paired(original: Table | None, released: Table, columns: tuple[str, ...]) -> Pair:
    """Pair the named columns, or all common columns that an intruder may know.

    Identifiers, weights, households and entities are compared only when named. Columns with nested
    cells or infinite numbers are left out, and refused when named.
    """
    if original is None:
        raise InputError("This measure compares a release with its original: give both tables.")
    before = aligned(original, released)
    if columns:
        check_columns(columns, original.columns)
        check_columns(columns, released.columns)
        for table in (before, released):
            refuse_nested(table.frame, columns, "Linkage")
            refuse_infinite([table.frame[name] for name in columns])
    else:
        columns = known_columns(before, released)
    origin = np.arange(released.height) if released.rows is None else released.rows
    return Pair(columns, before, released, origin)


def known_columns(original: Table, released: Table) -> tuple[str, ...]:
    """Common columns that an intruder may know and that can be compared."""
    hidden = {*_unknown(original.roles), *_unknown(released.roles)}
    return tuple(
        name
        for name in common_columns(original, released)
        if name not in hidden and all(_usable(one.frame[name]) for one in (original, released))
    )


def has_known_numbers(original: Table, released: Table) -> bool:
    """Whether a column that an intruder may know is numeric in both tables."""
    return any(
        is_number(original.frame.schema[name]) and is_number(released.frame.schema[name])
        for name in known_columns(original, released)
    )


def paired_numbers(
    original: Table | None, released: Table, columns: tuple[str, ...]
) -> PairedNumbers:
    """The named columns, or all that are numeric in both tables; dates count in their unit."""
    pair = paired(original, released, columns)
    fitting = tuple(name for name in pair.columns if pair.has_numbers(name))
    if columns:
        refuse_other_kinds(columns, fitting)
    sides = (number_matrix([t.frame[n] for n in fitting], "C") for t in (pair.before, pair.after))
    return PairedNumbers(fitting, *(one.reshape(pair.n_records, len(fitting)) for one in sides))


def _unknown(roles: Roles) -> tuple[str, ...]:
    """Columns that an intruder is not expected to know."""
    single = (roles.weight, roles.household, roles.entity)
    return (*roles.identifiers, *(name for name in single if name is not None))


def _usable(column: pl.Series) -> bool:
    nested = column.dtype.is_nested() or column.dtype == pl.Object
    return not nested and is_finite(column)
