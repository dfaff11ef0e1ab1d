"""Rows of the registry: each is sealed by the entry that wrote it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select

from microveil.registry.chain import canonical, digest
from microveil.service.ledger.schema import ANALYSTS, API_KEYS, DATA_SETS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from microveil.service.ledger.book import Book

Plain = dict[str, Any]
TABLES = {"data_sets": DATA_SETS, "analysts": ANALYSTS, "api_keys": API_KEYS}
"""The tables of the registry; the first column of each is its key."""


def seal_of(row: Mapping[str, Any]) -> str:
    """The seal of one row, whatever the order of its columns."""
    return digest(canonical(dict(row)))


def place_of(table: str, row: Mapping[str, Any]) -> str:
    """Where a row stands: its table and its key."""
    return f"{table}:{row[TABLES[table].columns[0].name]}"


def sealed_rows(connection: Connection) -> dict[str, str]:
    """The seal of every row of the registry by its place."""
    found: dict[str, str] = {}
    for name, table in TABLES.items():
        rows: list[Plain] = [dict(row) for row in connection.execute(select(table)).mappings()]
        found |= {place_of(name, row): seal_of(row) for row in rows}
    return found


@dataclass(frozen=True)
class Change:
    """A row that a step writes, made from the row as it then is."""

    table: str
    key: str
    made: Callable[[Plain | None, Connection], Plain | None]
    """From the present row, or None, the new one; None leaves it as it is."""

    def read(self, connection: Connection) -> Plain | None:
        """The row as it is, under the writer's lock."""
        table = TABLES[self.table]
        found = connection.execute(select(table).where(table.columns[0] == self.key)).mappings()
        row = found.one_or_none()
        return None if row is None else dict(row)

    def write(self, connection: Connection, row: Plain) -> None:
        """Replace the row."""
        table = TABLES[self.table]
        connection.execute(delete(table).where(table.columns[0] == self.key))
        connection.execute(insert(table), row)


@dataclass(frozen=True)
class Put:
    """An entry about the registry, with the rows that belong to it."""

    kind: str
    facts: Mapping[str, Any]
    changes: tuple[Change, ...]

    @property
    def accounts(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def keys(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def families(self) -> tuple[tuple[str, int], ...]:
        """None."""
        return ()

    def apply(self, book: Book) -> None:
        """Write the rows, and the entry that seals them."""
        made = [(one, one.made(one.read(book.connection), book.connection)) for one in self.changes]
        rows = [(one, row) for one, row in made if row is not None]
        for change, row in rows:
            change.write(book.connection, row)
        seals = {place_of(change.table, row): seal_of(row) for change, row in rows}
        book.append(self.kind, {**self.facts, "rows": seals})
