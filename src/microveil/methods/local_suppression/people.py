"""People with several rows: the codes of a person, and who has which row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.methods.local_suppression.rows import Distinct
from microveil.tables.people import one_each


class People(NamedTuple):
    """Whose the records are."""

    of_record: Longs
    """Number of each record's person, from 0 without gaps."""
    linked: bool
    """Whether an intruder sees which records belong to one person."""

    def at(self, rows: NDArray[np.integer]) -> People:
        """The people of some records."""
        if len(rows) == len(self.of_record):
            return self
        return People(np.unique(self.of_record[rows], return_inverse=True)[1], self.linked)

    @property
    def n(self) -> int:
        """Number of people."""
        return int(self.of_record.max(initial=-1)) + 1


class RowPeople(NamedTuple):
    """Who has which distinct row: one entry for each pair, by row."""

    row: Longs
    person: Longs
    records: Longs
    """Records of the person in the row."""
    of_record: Longs
    """Entry of each record."""
    start: Longs
    """(rows + 1) first entry of each row."""


def row_people(rows: Distinct, people: People) -> RowPeople:
    """Who has which distinct row.

    >>> from microveil.methods.local_suppression.rows import distinct_rows
    >>> rows = distinct_rows(np.array([[0], [0], [1]], dtype=np.int32))
    >>> row_people(rows, People(np.array([0, 0, 1]), linked=False)).records.tolist()
    [2, 1]
    """
    if (only := one_each(people.of_record, rows.row)) is not None:
        return _by_row(only, len(rows.codes), people)
    pairs, of_record, records = np.unique(
        rows.row * max(people.n, 1) + people.of_record, return_inverse=True, return_counts=True
    )
    row, person = np.divmod(pairs, max(people.n, 1))
    start = np.searchsorted(row, np.arange(len(rows.codes) + 1))
    return RowPeople(row, person, records, of_record, start)


def _by_row(only: Longs, n_rows: int, people: People) -> RowPeople:
    """Who has which row, if everybody has one: people need sorting, and records do not."""
    person = np.argsort(only, kind="stable")
    entry = np.empty(len(person), dtype=np.int64)
    entry[person] = np.arange(len(person))
    records = np.bincount(people.of_record, minlength=len(person))[person]
    start = np.concatenate([[0], np.cumsum(np.bincount(only, minlength=n_rows))])
    return RowPeople(only[person], person, records, entry[people.of_record], start)


def person_codes(rows: Distinct, who: RowPeople, people: People) -> tuple[Ints, bool] | None:
    """Codes of people, and whether some stand for several rows; None if rows must stay apart.

    If everybody has one distinct row, that is it. If an intruder sees whose the records are, people
    are alike if their sets of rows are: a column in which a person's rows differ gets a code for
    the values in the order of the rows. People with equal codes in all columns that are not
    suppressed have equal sets of rows.

    >>> from microveil.methods.local_suppression.rows import distinct_rows
    >>> rows = distinct_rows(np.array([[0, 1], [0, 2], [0, 2], [0, 1]], dtype=np.int32))
    >>> linked = People(np.array([0, 0, 1, 1]), linked=True)
    >>> who = row_people(rows, linked)
    >>> person_codes(rows, who, linked)[0].tolist()
    [[0, 3], [0, 3]]
    >>> person_codes(rows, who, linked._replace(linked=False)) is None
    True
    """
    if len(who.person) > people.n and not people.linked:
        return None
    order = np.argsort(who.person, kind="stable")
    person, row = who.person[order], who.row[order]
    if len(who.person) == people.n:
        return np.ascontiguousarray(rows.codes[row]), False
    start = np.searchsorted(person, np.arange(people.n + 1))
    columns = [
        _sequence_codes(rows.codes[row, column], start) for column in range(rows.codes.shape[1])
    ]
    return np.column_stack(columns).astype(np.int32), True


def _sequence_codes(values: NDArray[np.int32], start: Longs) -> Longs:
    """A code for each stretch of values: the value itself if it is the only one, else a new one."""
    size = np.diff(start)
    codes = values[start[:-1]].astype(np.int64)
    low, high = np.minimum.reduceat(values, start[:-1]), np.maximum.reduceat(values, start[:-1])
    mixed = np.flatnonzero(low < high)
    if not len(mixed):
        return codes
    label, base, radix = np.zeros(len(mixed), dtype=np.int64), 0, int(values.max()) + 2
    for depth in range(int(size[mixed].max())):
        # Those equal so far are told apart by the next value; those without one are settled.
        going_on = np.flatnonzero(size[mixed] > depth)
        value = values[start[mixed[going_on]] + depth].astype(np.int64) + 1
        known, place = np.unique(label[going_on] * radix + value, return_inverse=True)
        label[going_on] = base + place
        base += len(known)
    codes[mixed] = int(values.max()) + 1 + np.unique(label, return_inverse=True)[1]
    return codes


def spread_blanks(codes: Ints, of_people: Ints, safer: Ints, people: People) -> Ints:
    """The codes of records with the cells missing that were suppressed for their person."""
    gone = (safer < 0) & (of_people >= 0)
    return np.where(gone[people.of_record], np.int32(-1), codes)
