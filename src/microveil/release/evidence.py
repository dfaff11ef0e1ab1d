"""Evidence: the released tables as an intruder can combine them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from microveil.tables import LazyTable, Roles, Table


@dataclass(frozen=True, eq=False)
class Evidence:
    """What requirements are checked on: every released column, joined on released links.

    ``records`` has a row for each released record. ``possible`` is set if a link leads from a
    record to several values (anatomy): it has a row for each record and value.
    """

    records: Table | LazyTable
    possible: Table | LazyTable | None = None

    @classmethod
    def of(
        cls,
        table: Table,
        joined: Table | None,
        original: Table,
        held_back: Collection[str] = (),
    ) -> Evidence:
        """The evidence of a released table, and of the tables it links to.

        The original determines who a row is about: whether or not that column is released, several
        rows of a person stay rows of one person. Columns in ``held_back`` are not released, so they
        are no keys.
        """
        table = _without(table, held_back)
        joined = None if joined is None else _without(joined, held_back)
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
        """The table with these columns, with one row for each record if that is enough."""
        if self.possible is None or self.records_have(names):
            return self.records
        return self.possible

    def records_have(self, names: Iterable[str]) -> bool:
        """Whether the records themselves have these columns."""
        return set(self.records.columns).issuperset(names)


def _without(table: Table, held_back: Collection[str]) -> Table:
    """The table without the roles of columns that are not released."""
    gone = set(table.roles.named).intersection(held_back)
    return table.with_roles(table.roles.without(gone)) if gone else table


def with_people(table: Table, original: Table) -> Table:
    """The table with the original's people, even if the column that identified them is gone.

    Nothing is added if the row link is unknown.
    """
    unknown = table.rows is None and table.height != original.height
    if table.people is not None or original.people is None or table.synthetic or unknown:
        return table
    people = original.people if table.rows is None else original.people[table.rows]
    return Table(table.frame, table.roles, table.rows, people, entity=original.entity)
