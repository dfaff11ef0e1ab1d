"""Evidence: the released tables as an intruder can put them together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from microveil.tables import LazyTable, Roles, Table


@dataclass(frozen=True, eq=False)
class Evidence:
    """What requirements are checked on: every released column, joined on released links.

    ``records`` has a row for each released record. ``possible`` is there when a link leads from a
    record to several values (anatomy): it has a row for each record and value.
    """

    records: Table | LazyTable
    possible: Table | None = None

    @classmethod
    def of(cls, table: Table, joined: Table | None, original: Table) -> Evidence:
        """The evidence of a released table, and of what its links lead to.

        Who a row is about is told by the original: whether the column that says so is released
        or not, several rows of a person stay rows of one person.
        """
        told = with_people(table, original)
        if joined is None:
            return cls(told)
        if joined.height == table.height:
            return cls(with_people(joined, original))
        return cls(told, with_people(joined, original))

    @cached_property
    def roles(self) -> Roles:
        """Roles of all released columns."""
        return self.records.roles if self.possible is None else self.possible.roles

    def with_columns(self, names: Iterable[str]) -> Table | LazyTable:
        """The table that has these columns, with one row for each record where that is enough."""
        if self.possible is None or self.records_have(names):
            return self.records
        return self.possible

    def records_have(self, names: Iterable[str]) -> bool:
        """Whether these columns stand with the records themselves."""
        return set(self.records.columns).issuperset(names)


def with_people(table: Table, original: Table) -> Table:
    """The table whose entity is the original's, also after the column has been changed or dropped.

    Nothing is added where nobody knows which row was which.
    """
    entity = original.roles.entity
    if entity is None or (table.rows is None and table.height != original.height):
        return table
    people = original.frame[entity]
    people = people if table.rows is None else people[table.rows]
    if entity not in table.columns:
        name = _free_name(entity, table.columns)
        return _told(table, people.alias(name), name)
    if table.frame[entity].dtype == people.dtype and table.frame[entity].equals(people):
        return table
    name = _free_name(entity, table.columns)
    return _told(table, people.alias(name), name)


def _told(table: Table, people: pl.Series, name: str) -> Table:
    roles = table.roles.model_copy(update={"entity": name})
    return Table(table.frame.with_columns(people), roles, table.rows)


def _free_name(name: str, taken: list[str]) -> str:
    while name in taken:
        name = f"{name} (original)"
    return name
