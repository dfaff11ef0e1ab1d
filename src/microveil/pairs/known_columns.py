"""A release and its original as an attack sees them: columns, rows, people and numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import InputError
from microveil.pairs.alignment import align, common_columns
from microveil.pairs.numbers import PairedNumbers, refuse_other_kinds, settle_infinite
from microveil.pairs.reading import Alike, Reading
from microveil.tables import Roles, Table
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import is_number, numbers_of
from microveil.tables.roles import check_columns
from microveil.texts import phrase


class Pair(NamedTuple):
    """Original and release with their rows paired; rows that repeat a person's are left out."""

    columns: tuple[str, ...]
    before: Table
    """Rows of the original that the release kept, in the order of the release."""
    after: Table
    origin: Longs
    """Position in the original of each row."""
    reading: Reading
    alike: Alike
    """Which released rows these are, and which of them stands for each released row."""
    people: Longs | None = None
    """The person of each row; None if each row is a person."""

    @property
    def n_records(self) -> int:
        """Number of rows that are compared."""
        return self.after.height

    @property
    def owners(self) -> Longs:
        """Who is found by a link to each row: the person or, without an entity, the original."""
        return self.origin if self.people is None else self.people

    def has_numbers(self, name: str) -> bool:
        """Whether a column is numeric before and after; numbers that are labels are not."""
        kinds = [one.frame.schema[name] for one in (self.before, self.after)]
        return all(is_number(kind) for kind in kinds) and not self.reading.is_coded(name)

    def codes(self, name: str) -> tuple[Longs, Longs]:
        """Value and label of each row in a column, numbered as in its reading; −1 missing."""
        before, after, _ = self.reading.column(name).codes
        return before[self.origin].astype(np.int64), after[self.alike.rows].astype(np.int64)

    def numbers(self, name: str) -> tuple[Floats, Floats]:
        """A column of numbers before and after; infinite ones beyond all others."""
        if self.before.frame.schema[name].is_temporal() and self._kinds_differ(name):
            every = self.reading.column(name).numbers
            return every[0][self.origin], every[1][self.alike.rows]
        sides = (numbers_of(one.frame[name]) for one in (self.before, self.after))
        before, after = settle_infinite(*sides)
        return before, after

    def _kinds_differ(self, name: str) -> bool:
        return self.before.frame.schema[name] != self.after.frame.schema[name]


def pair_tables(original: Table | None, released: Table, columns: tuple[str, ...]) -> Pair:
    """Pair two tables, as :func:`paired_reading` does."""
    return paired_reading(reading_of(original, released), columns)


def reading_of(original: Table | None, released: Table) -> Reading:
    """Two tables read without a recipe; an error without an original."""
    if original is None:
        raise InputError("This measure compares a release with its original: give both tables.")
    return Reading.of(original, released)


def paired_reading(reading: Reading, columns: tuple[str, ...]) -> Pair:
    """Pair the named columns, or all common columns that an intruder may know.

    Identifiers, weights, households and entities are compared only when named. Columns with nested
    cells are left out, and refused when named.
    """
    original, released = reading.original, reading.released
    before = align(original, released)
    if columns:
        check_columns(columns, original.columns)
        check_columns(columns, released.columns)
        for table in (before, released):
            refuse_nested(table.frame, columns, phrase("Linkage"))
    else:
        columns = known_columns(original, released)
    origin = np.arange(released.height) if released.rows is None else released.rows
    people = None if original.people is None else original.people[origin]
    alike = reading.alike(columns)
    if len(alike.rows) < released.height:
        before, released = before.take(alike.rows), released.take(alike.rows)
        origin = origin[alike.rows]
        people = None if people is None else people[alike.rows]
    return Pair(columns, before, released, origin, reading, alike, people)


def known_columns(original: Table, released: Table) -> tuple[str, ...]:
    """Common columns that an intruder may know and that can be compared."""
    hidden = {*_unknown(original.roles), *_unknown(released.roles)}
    return tuple(
        name
        for name in common_columns(original, released)
        if name not in hidden and all(_usable(one.frame[name]) for one in (original, released))
    )


def has_known_numbers(reading: Reading) -> bool:
    """Whether a column that an intruder may know is numeric in both tables."""
    original, released = reading.original, reading.released
    return any(
        is_number(original.frame.schema[name])
        and is_number(released.frame.schema[name])
        and not reading.is_coded(name)
        for name in known_columns(original, released)
    )


def paired_numbers(
    original: Table | None, released: Table, columns: tuple[str, ...]
) -> PairedNumbers:
    """The named columns, or all that are numeric in both tables; dates count in their unit."""
    return numbers_of_pair(pair_tables(original, released, columns), columns)


def numbers_of_pair(pair: Pair, columns: tuple[str, ...]) -> PairedNumbers:
    """The columns of a pair that are numeric in both tables; the named ones must be."""
    fitting = tuple(name for name in pair.columns if pair.has_numbers(name))
    if columns:
        refuse_other_kinds(columns, fitting)
    before, after = (np.empty((pair.n_records, len(fitting))) for _ in range(2))
    for place, name in enumerate(fitting):
        before[:, place], after[:, place] = pair.numbers(name)
    return PairedNumbers(fitting, before, after)


def _unknown(roles: Roles) -> tuple[str, ...]:
    """Columns that an intruder is not expected to know."""
    single = (roles.weight, roles.household, roles.entity)
    return (*roles.identifiers, *(name for name in single if name is not None))


def _usable(column: pl.Series) -> bool:
    return not (column.dtype.is_nested() or column.dtype == pl.Object)
