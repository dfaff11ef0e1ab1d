"""People with several records: whose they are, and classes of people by all their records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.tables.codes import encode
from microveil.tables.kinds import check_weight
from microveil.tables.missing_keys import matched_people, matched_sums
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.arrays import Floats, Ints, Longs
    from microveil.tables.class_sources import ClassSource

BETWEEN = " | "
"""Separator between the keys of one person's records when they are shown together."""
UNKNOWN = "–"
SPARSE = 8
"""Numbers up to so many times the records are renumbered by marking them; others by sorting."""


def number_people(entity: pl.Series) -> Longs:
    """A number for each person, from 0 without gaps; records without an entity form one person.

    >>> number_people(pl.Series(["ann", None, "bob", "ann"])).tolist()
    [0, 2, 1, 0]
    """
    return closed_up(encode(entity).values)


def closed_up(people: Longs) -> Longs:
    """The same people renumbered after some have gone, in the same order.

    >>> closed_up(np.array([5, 2, 5])).tolist()
    [1, 0, 1]
    """
    top = int(people.max(initial=-1)) + 1
    if top > SPARSE * max(len(people), 1):
        return np.unique(people, return_inverse=True)[1].astype(np.int64, copy=False)
    occurs = np.zeros(top, dtype=np.bool_)
    occurs[people] = True
    if occurs.all():
        return people
    number: Longs = (np.cumsum(occurs, dtype=np.int64) - 1)[people]
    return number


def _distinct(values: Longs) -> tuple[Longs, Longs]:
    """The distinct values, ascending, and how often each occurs; sorting beats hashing here."""
    ordered = np.sort(values)
    start = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    return ordered[start], np.diff(np.append(start, len(ordered)))


def linked_by(entity: pl.Series, people: Longs) -> bool:
    """Whether a column shows exactly which records belong to one person.

    >>> linked_by(pl.Series(["p", "p", "q"]), np.array([0, 0, 1]))
    True
    >>> linked_by(pl.Series(["p", "q", "r"]), np.array([0, 0, 1]))
    False
    """
    shown, people = number_people(entity), closed_up(people)
    return one_each(people, shown) is not None and one_each(shown, people) is not None


def one_each(people: Longs, values: Longs | Ints) -> Longs | None:
    """The value of each person if all their records have the same; None if somebody has two.

    Much faster than sorting, which it spares where people are the same in all their records.

    >>> one_each(np.array([1, 0, 1]), np.array([7, 4, 7]))
    array([4, 7])
    """
    one = _some_value(people, values)
    return one if bool((one[people] == values).all()) else None


def alike_in_all(people: Longs, values: Longs | Ints) -> bool:
    """Whether all records of each person have the same value.

    >>> alike_in_all(np.array([1, 0, 1]), np.array([7, 4, 8]))
    False
    """
    return one_each(people, values) is not None


def _some_value(people: Longs, values: Longs | Ints) -> Longs:
    """A value of each person: that of one of their records."""
    one = np.empty(int(people.max(initial=-1)) + 1, dtype=np.int64)
    one[people] = values
    return one


class Sets(NamedTuple):
    """Each person's set of values, numbered so that people with equal sets share a number."""

    of_person: Longs
    start: Longs
    """(sets + 1): start of each set among the members."""
    members: Longs
    """The values of each set, ascending."""

    @property
    def single(self) -> bool:
        """Whether every set has one member, and is numbered by it."""
        return len(self.members) == len(self.start) - 1


def sets_of(people: Longs, values: Longs) -> Sets:
    """Collect the values of each person's records; every person has a record.

    If nobody has two values, sets are numbered as their values are. Takes the time of sorting the
    records.

    >>> sets_of(np.array([0, 0, 1, 1, 2]), np.array([4, 5, 5, 4, 4])).of_person.tolist()
    [1, 1, 0]
    """
    n_people = int(people.max(initial=-1)) + 1
    radix = int(values.max(initial=-1)) + 1
    if (only := one_each(people, values)) is not None:
        return Sets(only, np.arange(radix + 1), np.arange(radix))
    pairs, _ = _distinct(people * radix + values)
    person, member = np.divmod(pairs, radix)
    start = np.searchsorted(person, np.arange(n_people + 1))
    size = np.diff(start)
    label, base = np.zeros(n_people, dtype=np.int64), 0
    for depth in range(int(size.max())):
        # Sets equal so far are separated by the next member; those without one are settled.
        going_on = np.flatnonzero(size > depth)
        pair = label[going_on] * (radix + 1) + member[start[going_on] + depth] + 1
        known, place = np.unique(pair, return_inverse=True)
        label[going_on] = base + place
        base += len(known)
    _, example, of_person = np.unique(label, return_index=True, return_inverse=True)
    first = np.concatenate([[0], np.cumsum(size[example])])
    chosen = np.repeat(start[example] - first[:-1], size[example]) + np.arange(first[-1])
    return Sets(of_person, first, member[chosen])


@dataclass(eq=False)
class PeopleSource:
    """Classes that count people, given the classes of their records.

    If ``linked``, an intruder sees which records belong to one person, so people are distinguished
    by all their records together, and a class is a set of keys. Otherwise records are separate, and
    a class counts the people with a record in it.
    """

    records: ClassSource
    """The classes of the records."""
    people: Longs
    """Person of each record, numbered without gaps."""
    weight_column: pl.Series | None
    linked: bool
    joined: bool
    """Whether a column of the table links rows, even if that is not used."""

    @cached_property
    def sets(self) -> Sets:
        """The keys of each person's records, together."""
        return sets_of(self.people, self.records.record_class)

    @cached_property
    def grouped(self) -> bool:
        """Whether classes are sets of keys, some with several members."""
        return self.linked and not self.sets.single

    @cached_property
    def n_people(self) -> int:
        """Number of people."""
        return int(self.people.max(initial=-1)) + 1

    @cached_property
    def record_class(self) -> Longs:
        """Class of each record; if records are linked, that of its person."""
        if self.grouped:
            return self.sets.of_person[self.people]
        return self.records.record_class

    @cached_property
    def class_counts(self) -> Longs:
        """Records of each class."""
        if self.grouped:
            return np.bincount(self.record_class, minlength=len(self.sets.start) - 1)
        return self.records.class_counts

    @cached_property
    def _weight(self) -> Floats | None:
        """Weight of each record."""
        column = self.weight_column
        if column is None:
            return None
        check_weight(column, column.null_count())
        return column.cast(pl.Float64).to_numpy()

    @cached_property
    def _held(self) -> tuple[Longs, Longs, Longs]:
        """Class, person and number of records of each pair that occurs, by class."""
        n = max(self.n_people, 1)
        pairs, counts = _distinct(self.record_class * n + self.people)
        held, person = np.divmod(pairs, n)
        return held, person, counts

    @property
    def people_counts(self) -> Longs:
        """People of each class; only rows apart from a person's others need sorting."""
        n_classes = len(self.class_counts)
        if self.linked:
            return np.bincount(self.sets.of_person, minlength=n_classes)
        of_record = self.record_class
        one = _some_value(self.people, of_record)
        further = np.flatnonzero(one[self.people] != of_record)
        n = max(self.n_people, 1)
        pairs, _ = _distinct(of_record[further] * n + self.people[further])
        counts: Longs = np.bincount(one, minlength=n_classes)
        return counts + np.bincount(pairs // n, minlength=n_classes)

    @cached_property
    def _held_weights(self) -> Floats:
        """Summed weight of each class-person pair."""
        held, person, counts = self._held
        if self._weight is None:
            return counts.astype(np.float64)
        place = np.searchsorted(
            held * max(self.n_people, 1) + person,
            self.record_class * max(self.n_people, 1) + self.people,
        )
        summed = np.bincount(place, weights=self._weight, minlength=len(held))
        return summed.astype(np.float64, copy=False)

    @property
    def weights(self) -> Floats:
        """Weight of each class's people: each counts once, with the mean weight of the records."""
        held, _, counts = self._held
        means = self._held_weights / counts
        return np.bincount(held, weights=means, minlength=len(self.class_counts)).astype(np.float64)

    @property
    def total_weight(self) -> float:
        """Weight of everybody, each person once."""
        if self._weight is None:
            return float(self.n_people)
        summed = np.bincount(self.people, weights=self._weight, minlength=self.n_people)
        return float((summed / np.bincount(self.people, minlength=self.n_people)).sum())

    def count_matches(self, alpha: float, *, weighted: bool) -> Floats:
        """Distinct people that match each class, and their weight: (classes, 2).

        People with records in one class only are counted with it. For the others their matching
        records are identified, so that none counts for another of the same person.
        """
        from microveil.kernels.blanking.wildcard_matches import Held

        held, person, counts = self._held
        weights = self._held_weights if weighted else counts.astype(np.float64)
        several = np.bincount(person, minlength=self.n_people)[person] > 1
        alone = np.column_stack([~several, np.where(several, 0.0, weights / counts)])
        n = len(self.class_counts)
        amounts = np.column_stack(
            [np.bincount(held, weights=kind, minlength=n).astype(np.float64) for kind in alone.T]
        )
        found = matched_sums(self.keys, amounts, alpha=alpha)
        if not several.any():
            return found
        start = np.searchsorted(held[several], np.arange(n + 1))
        _, renumbered = np.unique(person[several], return_inverse=True)
        entries = Held(start, renumbered, counts[several], weights[several])
        return found + matched_people(self.keys, entries, alpha=alpha)

    @cached_property
    def keys(self) -> pl.DataFrame:
        """The keys of each class; those of several records as text, one after the other."""
        if not self.grouped:
            return self.records.keys
        sets = self.sets
        number = np.repeat(np.arange(len(sets.start) - 1), np.diff(sets.start))
        shown = self.records.keys[sets.members]
        parts = pl.DataFrame({"set": number}).hstack(
            [as_text(column).fill_null(UNKNOWN).alias(f"k{i}") for i, column in enumerate(shown)]
        )
        joined = parts.group_by("set", maintain_order=True).agg(pl.exclude("set").str.join(BETWEEN))
        return joined.drop("set").rename({f"k{i}": name for i, name in enumerate(shown.columns)})

    def all_of(self, of_record_class: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Classes all of whose records' classes are marked."""
        if not self.grouped:
            return of_record_class
        marked = of_record_class[self.sets.members]
        return np.logical_and.reduceat(marked, self.sets.start[:-1])
