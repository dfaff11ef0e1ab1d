"""Distribution: how often each sensitive value occurs in each class and in the whole table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.tables import Classes, LazyTable, Table
from microveil.tables.class_sources import counted_values, numbered_by
from microveil.tables.door import refuse_nested
from microveil.tables.missing_keys import Entries, matched_entries
from microveil.tables.people import sets_of
from microveil.tables.values import Distinct, plain
from microveil.texts import phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

DENSE = 4
"""A dense array of all class-value pairs pays off up to this many cells per record…"""
SMALL = 1 << 20
"""…or while the array is this small."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """The sensitive values of each class; one entry per class-value pair that occurs.

    A missing value is a value of its own, placed last. If a missing key is a wildcard, a class
    holds the values of all records that match it. Where people have several linked rows, a value is
    the set of a person's values, and people are counted. Where rows are not linked, a person counts
    once for each value.
    """

    column: str
    classes: NDArray[np.int64]
    """Class of each entry, ascending; every class has at least one."""
    values: NDArray[np.int64]
    """Code of the value of each entry, ascending within a class."""
    counts: NDArray[np.int64]
    totals: NDArray[np.int64]
    """Number of records with each value in the whole table."""
    labels: pl.Series | None
    """The values in the order of their codes; None if the classes came without a table, or if
    values are sets."""
    n_classes: int
    missing: int | None = None
    """Code of the missing value, if there is one."""
    single: Distribution | None = None
    """If values are sets: the single values in them, a person counting once for each."""

    @property
    def common(self) -> NDArray[np.bool_]:
        """Classes in which everybody shares some value, even though their sets may differ."""
        if self.single is None:
            return np.zeros(self.n_classes, dtype=np.bool_)
        held = self.single.counts / self.sizes[self.single.classes]
        return np.equal(self.single.largest(held), 1)

    def without_missing(self) -> Distribution:
        """The same without missing values, except in classes that have nothing else."""
        # Nobody may lack all values, while a missing one is still among those of many people.
        single = None if self.single is None else self.single.without_missing()
        if self.missing is None:
            return self if single is None else replace(self, single=single)
        there = self.values != self.missing
        something = np.zeros(self.n_classes, dtype=np.bool_)
        something[self.classes[there]] = True
        kept = there | ~something[self.classes]
        return replace(
            self,
            classes=self.classes[kept],
            values=self.values[kept],
            counts=self.counts[kept],
            single=single,
        )

    @property
    def n_values(self) -> int:
        """Distinct values in the whole table, missing included."""
        return len(self.totals)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """First entry of each class."""
        return np.flatnonzero(np.diff(self.classes, prepend=-1))

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Records of each class."""
        return np.add.reduceat(self.counts, self.starts) if len(self.starts) else self.starts

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Each entry's share of its class."""
        return self.counts / self.sizes[self.classes]

    @cached_property
    def table_shares(self) -> NDArray[np.float64]:
        """Share of each entry's value in the whole table."""
        return (self.totals / max(int(self.totals.sum()), 1))[self.values]

    def per_class(self, of_entry: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the entries of each class."""
        summed = np.bincount(self.classes, weights=of_entry, minlength=self.n_classes)
        return summed.astype(np.float64, copy=False)

    def largest(self, of_entry: NDArray[np.float64]) -> NDArray[np.float64]:
        """Largest over the entries of each class."""
        return np.maximum.reduceat(of_entry, self.starts) if len(self.starts) else of_entry


def distribution(classes: Classes, column: str, *, tidy: bool = False) -> Distribution:
    """Count a sensitive column in each class.

    ``tidy`` ignores trailing blanks and treats blank text as missing. Takes one pass over the
    records and at most three numbers of memory per record.
    """
    table = classes.table
    if table is None:
        return _from_counts(classes, column)
    table.require([column])
    if isinstance(table, LazyTable):
        refuse_nested(table.schema.to_frame(), [column], phrase("A sensitive column"))
    else:
        refuse_nested(table.frame, [column], phrase("A sensitive column"))
    if classes.people is not None:
        return _of_people(classes, _read(table, column, tidy=tidy), classes.people, tidy=tidy)
    weights = None
    if isinstance(table, LazyTable):
        of_record, values, weights = counted_values(table, classes.keys, column)
        values = strip_text(values) if tidy else values
    else:
        of_record, values = classes.record_class, _read(table, column, tidy=tidy)
    codes, labels = ordered_codes(values)
    n_values = len(labels)
    entries = _count_pairs(of_record, codes, n_values, classes.n_classes, weights)
    totals = np.bincount(entries[1], weights=entries[2], minlength=n_values).astype(np.int64)
    if classes.missing == "wildcard":
        entries = matched_entries(classes.keys, entries)
    return _label(column, entries, totals, labels, classes.n_classes)


def classes_beside(classes: Classes, column: str) -> tuple[Classes, NDArray[np.int64]]:
    """Classes by the other keys, where a sensitive column is a key itself; else as they are.

    With them, for each class the number of the larger one it lies in.
    """
    keys = classes.columns
    if column not in keys:
        return classes, np.arange(classes.n_classes)
    if classes.table is None:
        raise InputError(
            "Column '{column}' is quasi-identifier and sensitive: its classes by the other "
            "keys need the table, but only class counts are available.",
            column=column,
        )
    others = Classes.of(classes.table, [name for name in keys if name != column], classes.missing)
    if isinstance(classes.table, LazyTable):
        names = others.columns
        here = np.zeros(classes.n_classes, dtype=np.int64)
        return others, numbered_by(others.keys, classes.keys.select(names)) if names else here
    place = np.zeros(classes.n_classes, dtype=np.int64)
    place[classes.record_class] = others.record_class
    return others, place


def known_distribution(
    classes: Classes, column: str, found: Distribution | None = None
) -> Distribution:
    """The same without missing values and trailing blanks, which distinguish nothing.

    ``found`` is the distribution that includes them, if it has already been counted.
    """
    found = distribution(classes, column) if found is None else found
    if found.labels is None or strip_text(found.labels) is not found.labels:
        found = distribution(classes, column, tidy=True)
    return found.without_missing()


def strip_text(values: pl.Series) -> pl.Series:
    """Text without trailing blanks, empty text as missing; other types unchanged.

    >>> strip_text(pl.Series(["flu", "flu ", " "])).to_list()
    ['flu', 'flu', None]
    """
    plain_values = plain(values)
    if plain_values.dtype != pl.String:
        return values
    stripped = plain_values.str.strip_chars_end()
    if stripped.equals(plain_values) and not (stripped == "").any():
        return values
    return stripped.replace("", None)


def _read(table: Table | LazyTable, column: str, *, tidy: bool) -> pl.Series:
    values = table.column(column)
    return strip_text(values) if tidy else values


def _label(
    column: str,
    entries: Entries,
    totals: NDArray[np.int64],
    labels: pl.Series,
    n_classes: int,
) -> Distribution:
    missing = len(labels) - 1 if labels.null_count() else None
    return Distribution(column, *entries, totals, labels, n_classes, missing)


def _of_people(
    classes: Classes, values: pl.Series, people: NDArray[np.int64], *, tidy: bool
) -> Distribution:
    """People's values: sets where their rows are linked, else each value by itself."""
    codes, labels = ordered_codes(values)
    n_values, n_people = max(len(labels), 1), int(people.max(initial=-1)) + 1
    # Numbered first: class, value and person combined may overflow one integer.
    known, pair = np.unique(classes.record_class * n_values + codes, return_inverse=True)
    place, person = np.divmod(np.unique(pair * max(n_people, 1) + people), max(n_people, 1))
    held, value = np.divmod(known[place], n_values)
    entries = _count_pairs(held, value, len(labels), classes.n_classes, None)
    own = np.unique(value * max(n_people, 1) + person) // max(n_people, 1)
    totals = np.bincount(own, minlength=len(labels))
    if classes.missing == "wildcard" and not classes.linked:
        ones = np.ones(len(held), dtype=np.int64)
        entries = matched_entries(classes.keys, (held, value, ones), person)
    single = _label(values.name, entries, totals, labels, classes.n_classes)
    if not classes.linked:
        return single
    return _of_sets(classes, single, people, codes, tidy=tidy)


def _of_sets(
    classes: Classes,
    single: Distribution,
    people: NDArray[np.int64],
    codes: NDArray[np.int64],
    *,
    tidy: bool,
) -> Distribution:
    """The set of values in each person's rows; ``tidy`` drops a missing value beside another."""
    n_people = int(people.max(initial=-1)) + 1
    if tidy and single.missing is not None:
        tells = np.zeros(n_people, dtype=np.bool_)
        tells[people[codes != single.missing]] = True
        kept = (codes != single.missing) | ~tells[people]
        sets = sets_of(people[kept], codes[kept])
    else:
        sets = sets_of(people, codes)
    if sets.single:
        return single
    of_person = np.empty(n_people, dtype=np.int64)
    of_person[people] = classes.record_class
    n_sets = len(sets.start) - 1
    entries = _count_pairs(of_person, sets.of_person, n_sets, classes.n_classes, None)
    totals = np.bincount(sets.of_person, minlength=n_sets)
    nothing = None
    if single.missing is not None:
        lone = np.flatnonzero(np.diff(sets.start) == 1)
        alike = lone[sets.members[sets.start[lone]] == single.missing]
        nothing = int(alike[0]) if len(alike) else None
    return Distribution(single.column, *entries, totals, None, classes.n_classes, nothing, single)


def ordered_codes(values: pl.Series) -> tuple[NDArray[np.int64], pl.Series]:
    """Each record's place in the order of the values, and the values; missing comes last.

    >>> codes, labels = ordered_codes(pl.Series([30, None, 10]))
    >>> codes.tolist(), labels.to_list()
    ([1, 2, 0], [10, 30, None])
    """
    distinct = Distinct.of(values)
    order = distinct.values.arg_sort().to_numpy()
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    place[-1] = len(order)
    labels = distinct.values.gather(pl.Series(order, dtype=pl.UInt32))
    if distinct.n_missing:
        labels = labels.extend_constant(None, 1)
    return place[distinct.of_record], labels


def record_classes(classes: Classes) -> NDArray[np.int64]:
    """Class of each record, including in a streamed table."""
    table = classes.table
    if not isinstance(table, LazyTable) or classes.people is not None:
        return classes.record_class
    if not classes.columns:
        return np.zeros(table.height, dtype=np.int64)
    rows = table.plan.select(classes.columns).collect(engine="streaming")
    return numbered_by(classes.keys, rows)


def table_of(classes: Classes, model: str) -> Table | LazyTable:
    """The table that was counted; an error if the model needs records and there are none."""
    if classes.table is None:
        raise InputError(
            "{model} needs the records, but only class counts are available.", model=model
        )
    return classes.table


def _count_pairs(
    of_record: NDArray[np.int64],
    codes: NDArray[np.int64],
    n_values: int,
    n_classes: int,
    weights: NDArray[np.int64] | None,
) -> Entries:
    """Classes, values and counts of the pairs that occur, in order."""
    n_cells = n_classes * max(n_values, 1)
    pairs = of_record * max(n_values, 1) + codes
    if n_cells <= max(DENSE * len(pairs), SMALL):
        cells = np.bincount(pairs, weights=weights, minlength=n_cells)
        there = np.flatnonzero(cells)
        counts = cells[there].astype(np.int64, copy=False)
    elif weights is None:
        there, counts = np.unique(pairs, return_counts=True)
    else:
        there, place = np.unique(pairs, return_inverse=True)
        counts = np.bincount(place, weights=weights, minlength=len(there)).astype(np.int64)
    held, values = np.divmod(there, max(n_values, 1))
    return held, values, counts


def _from_counts(classes: Classes, column: str) -> Distribution:
    """From counts alone: values have codes but no labels."""
    found = classes.histogram(column)
    entries: Entries = (found.classes, found.values, found.counts)
    totals = np.bincount(found.values, weights=found.counts, minlength=found.n_values)
    if classes.missing == "wildcard":
        entries = matched_entries(classes.keys, entries)
    totals = totals.astype(np.int64)
    return Distribution(column, *entries, totals, None, classes.n_classes, found.missing)
