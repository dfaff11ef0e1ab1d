"""Columns that describe a household as a whole, changed once for all its members.

A step that treats records separately would give the members of a household different answers to a
question that has one (number of rooms, rent, region). They would contradict each other, and
together they would reveal the truth. The table is therefore collapsed to one row per household, the
step is applied to that, and the result is copied to the members.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import ColumnError, RolesError
from microveil.methods.parts.base import Outcome
from microveil.methods.parts.facts import n_changed
from microveil.tables import Table
from microveil.tables.codes import encode
from microveil.tables.people import closed_up
from microveil.tables.roles import Columns

HouseholdColumns = Columns | None
"""Columns that describe households; None: those that are constant within every household."""


@dataclass(frozen=True, eq=False)
class Households:
    """Household membership; a record without a household is one of its own."""

    of_record: Longs
    """Number of each record's household, in order of first occurrence."""
    first: Longs
    """(households,) the first record of each."""

    @classmethod
    def of(cls, table: Table) -> Households | None:
        """The households of a table; None if the roles name none, or all live alone."""
        if table.roles.household is None:
            return None
        return cls.numbered(number_ids(table.frame[table.roles.household]))

    @classmethod
    def numbered(cls, units: Longs) -> Households | None:
        """Units by number, such as people; None if each has one record."""
        of_record = by_first(units)
        first = first_records(of_record)
        return cls(of_record, first) if len(first) < len(of_record) else None

    def agree(self, column: pl.Series) -> bool:
        """Whether a column is constant within every household; missing counts as an answer."""
        if column.dtype.is_nested() or column.dtype == pl.Object:
            return False
        return not bool(column.ne_missing(column.gather(self.first[self.of_record])).any())

    def collapse(self, table: Table) -> Table:
        """One row for each household: its first record."""
        return table.take(self.first)

    def spread(self, table: Table, collapsed: Table, columns: Sequence[str]) -> Table:
        """The table with columns of the collapsed one, the same for all members."""
        frame = collapsed.frame.select(columns)
        return table.with_columns([one.gather(self.of_record) for one in frame.iter_columns()])


def number_ids(column: pl.Series) -> Longs:
    """Number of each record's id, in order of first occurrence; a new one for each missing id.

    >>> number_ids(pl.Series([7, 5, 7, None, None])).tolist()
    [0, 1, 0, 2, 3]
    """
    column = column.fill_nan(None) if column.dtype.is_float() else column
    codes, missing = encode(column).values, column.is_null()
    if missing.any():
        alone = np.arange(len(codes)) + int(codes.max(initial=0)) + 1
        codes = np.where(missing.to_numpy(), alone, codes)
    return by_first(codes)


def by_first(labels: Longs) -> Longs:
    """Labels numbered from 0 in order of first occurrence.

    >>> by_first(np.array([9, 4, 9])).tolist()
    [0, 1, 0]
    """
    labels = closed_up(labels)
    first = np.empty(int(labels.max(initial=-1)) + 1, dtype=np.int64)
    # Of equal indices the last assignment wins, so go backwards.
    first[labels[::-1]] = np.arange(len(labels) - 1, -1, -1)
    begins = np.zeros(len(labels), dtype=np.int64)
    begins[first] = 1
    return np.asarray((np.cumsum(begins) - 1)[first[labels]])


def first_records(units: Longs) -> Longs:
    """The first record of each unit, if units are numbered in order of first occurrence.

    >>> first_records(np.array([0, 1, 0, 2])).tolist()
    [0, 1, 3]
    """
    return np.flatnonzero(np.diff(np.maximum.accumulate(units), prepend=-1))


def household_level(
    table: Table, columns: Sequence[str], named: HouseholdColumns, step: str
) -> tuple[Households, tuple[str, ...]] | None:
    """The households, and the columns that describe them; None if no column does.

    Named columns must be among the step's, and constant within every household.
    """
    if named is not None:
        strange = [name for name in named if name not in columns]
        if strange:
            raise ColumnError(
                "Step '{step}' names {strange:quoted} among household_columns, not in "
                "columns. Name it in both.",
                step=step,
                strange=strange,
            )
        if named and table.roles.household is None:
            raise RolesError(
                "Step '{step}' has household_columns, but the roles name no household. Name "
                "the column of household ids in the roles.",
                step=step,
            )
    households = Households.of(table)
    if households is None:
        return None
    wanted = columns if named is None else named
    table.require(wanted)
    shared = tuple(name for name in wanted if households.agree(table.frame[name]))
    differing = [] if named is None else [name for name in named if name not in shared]
    if differing:
        raise ColumnError(
            "Members of a household differ in column {differing:quoted}, so step '{step}' "
            "cannot change it once per household. Leave it out.",
            differing=differing,
            step=step,
        )
    return (households, shared) if shared else None


class _Step(Protocol):
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def household_columns(self) -> HouseholdColumns: ...
    @classmethod
    def kind(cls) -> str: ...
    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Any: ...


S = TypeVar("S", bound=_Step)


def by_household(
    step: S,
    table: Table,
    rng: np.random.Generator,
    change: Callable[[S, Table, np.random.Generator], Outcome],
) -> Outcome:
    """Apply a step once per household to household columns, and by person to the others."""
    found = household_level(table, step.columns, step.household_columns, step.kind())
    if found is None:
        return by_person(step, table, rng, change)
    households, shared = found
    only = {"columns": shared, "household_columns": ()}
    once = change(step.model_copy(update=only), households.collapse(table), rng)
    done = Outcome(households.spread(table, once.table, shared))
    own = tuple(name for name in step.columns if name not in shared)
    if own:
        only = {"columns": own, "household_columns": ()}
        done = by_person(step.model_copy(update=only), done.table, rng, change)
    facts = joined_facts(once.facts, done.facts)
    facts |= household_facts(table, done.table, households, shared, facts)
    return Outcome(done.table, facts)


def by_person(
    step: S,
    table: Table,
    rng: np.random.Generator,
    change: Callable[[S, Table, np.random.Generator], Outcome],
) -> Outcome:
    """Apply a step once per person to columns in which nobody's rows differ, else by record.

    Otherwise the noise of a person with many rows would average out.
    """
    found = person_level(table, step.columns)
    if found is None:
        return change(step, table, rng)
    persons, shared = found
    once = change(step.model_copy(update={"columns": shared}), persons.collapse(table), rng)
    done = Outcome(persons.spread(table, once.table, shared))
    own = tuple(name for name in step.columns if name not in shared)
    if own:
        done = change(step.model_copy(update={"columns": own}), done.table, rng)
    facts = joined_facts(once.facts, done.facts)
    return Outcome(done.table, facts | person_facts(table, done.table, persons, shared, facts))


def person_level(table: Table, columns: Sequence[str]) -> tuple[Households, tuple[str, ...]] | None:
    """The people, and the columns in which nobody's rows differ; None if there are none."""
    persons = None if table.people is None else Households.numbered(table.people)
    if persons is None:
        return None
    table.require(columns)
    shared = tuple(name for name in columns if persons.agree(table.frame[name]))
    return (persons, shared) if shared else None


def person_facts(
    before: Table,
    after: Table,
    households: Households,
    shared: Sequence[str],
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    """Which columns were changed by person, with cells counted by record."""
    counted = household_facts(before, after, households, shared, facts)
    del counted["household_columns"], counted["n_households"]
    return {**counted, "person_columns": list(shared), "n_people": len(households.first)}


def joined_facts(of_households: Mapping[str, Any], of_records: Mapping[str, Any]) -> dict[str, Any]:
    """Merge facts by column and lists; of other facts, keep those about records, if any."""
    facts = dict(of_households)
    for name, fact in of_records.items():
        other = facts.get(name)
        if isinstance(fact, Mapping) and isinstance(other, Mapping):
            facts[name] = {**other, **fact}
        elif isinstance(fact, list) and isinstance(other, list):
            facts[name] = [*other, *fact]
        else:
            facts[name] = fact
    return facts


def household_facts(
    before: Table,
    after: Table,
    households: Households,
    shared: Sequence[str],
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    """Which columns were changed by household, with cells counted by record."""
    counted: dict[str, Any] = {
        "household_columns": list(shared),
        "n_households": len(households.first),
    }
    if isinstance(facts.get("n_changed"), Mapping):
        changed = {name: n_changed(before.frame[name], after.frame[name]) for name in shared}
        counted["n_changed"] = {**facts["n_changed"], **changed}
    if isinstance(facts.get("n_missing"), Mapping):
        missing = {name: before.frame[name].null_count() for name in shared}
        counted["n_missing"] = {**facts["n_missing"], **missing}
    return counted
