"""Keys: primary and foreign keys of tables that were just written, in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from microveil.errors import FileError
from microveil.files.databases.address import Address, engine_of, quoted_name
from microveil.files.databases.target import scratch_name
from microveil.files.placing import Placing, Transaction


class KeyedTable(NamedTuple):
    """A table with its keys; the first of ``keys`` is its primary key."""

    name: str
    keys: tuple[tuple[str, ...], ...]
    """Each key by its columns."""
    foreign: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...]
    """Columns, table they refer to, and that table's key."""

    def constraints(self) -> list[str]:
        """The keys as SQL, without the table's columns."""
        told = [
            f"{'PRIMARY KEY' if place == 0 else 'UNIQUE'} ({_column_list(key)})"
            for place, key in enumerate(self.keys)
        ]
        told += [
            f"FOREIGN KEY ({_column_list(columns)}) "
            f"REFERENCES {quoted_name(table)} ({_column_list(key)})"
            for columns, table, key in self.foreign
        ]
        return told


def _column_list(columns: Sequence[str]) -> str:
    return ", ".join(quoted_name(column) for column in columns)


def add_keys(url: str, tables: Sequence[KeyedTable], placing: Placing) -> None:
    """Give tables their keys before anything is placed; parents come first.

    The tables were written within the same ``placing``: if a key does not hold, nothing is placed.
    """
    kind = engine_of(url)
    address = Address.of(url, None, None, kind)
    connection = _open_session(kind, address, placing).connection
    for table in tables:
        try:
            _give_keys(connection.execute, kind, table)
        except Exception:  # noqa: BLE001 - drivers have their own, whose messages show keys
            raise _refusal(address, table) from None
    if kind == "sqlite" and connection.execute("PRAGMA foreign_key_check").fetchall():
        raise _refusal(address, tables[-1])


def _give_keys(execute: Any, kind: str, table: KeyedTable) -> None:
    if kind == "postgresql":
        for constraint in table.constraints():
            execute(f"ALTER TABLE {quoted_name(table.name)} ADD {constraint}")
    elif table.constraints():
        _make_anew(execute, table, _column_types(execute, kind, table.name))


def _refusal(address: Address, table: KeyedTable) -> FileError:
    return FileError(
        "{shown}: the keys of table '{table}' do not hold in the database. Nothing was written.",
        shown=address.shown,
        table=table.name,
    )


def _open_session(kind: str, address: Address, placing: Placing) -> Transaction:
    """The transaction in which the tables were written."""
    if kind == "postgresql":
        return placing.server_session(address.database, _never)
    path = Path(address.database)
    return placing.session(f"{kind} {path.resolve()}", _never, path)


def _never(_: Path | None = None) -> Transaction:
    raise FileError("No table was written before its keys. Write the tables first.")


def _column_types(execute: Any, kind: str, table: str) -> list[str]:
    """The columns of a table with their types."""
    if kind == "sqlite":
        rows = execute(f"PRAGMA table_info({quoted_name(table)})").fetchall()
        return [f"{quoted_name(row[1])} {row[2]}" for row in rows]
    rows = execute(f"DESCRIBE {quoted_name(table)}").fetchall()
    return [f"{quoted_name(row[0])} {row[1]}" for row in rows]


def _make_anew(execute: Any, table: KeyedTable, declared: list[str]) -> None:
    """The same table with its keys, which these databases take only when it is made."""
    name, scratch = quoted_name(table.name), scratch_name()
    execute(f"ALTER TABLE {name} RENAME TO {scratch}")
    execute(f"CREATE TABLE {name} ({', '.join([*declared, *table.constraints()])})")
    execute(f"INSERT INTO {name} SELECT * FROM {scratch}")  # noqa: S608 - names are quoted
    execute(f"DROP TABLE {scratch}")
