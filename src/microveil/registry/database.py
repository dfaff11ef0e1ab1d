"""The registry's database: a SQLite file, or PostgreSQL by its address."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from microveil.errors import FileError, InputError
from microveil.texts import Message, phrase

VERSION = 1
"""Version of the tables that this program writes."""
BUSY_SECONDS = 30.0
"""How long a process waits for another one to finish writing."""
_LOCK = 0x6D767267
"""Number of the advisory lock of writers in PostgreSQL."""
_TABLES = (
    "CREATE TABLE IF NOT EXISTS registry_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    (
        "CREATE TABLE IF NOT EXISTS registry_entries (seq BIGINT PRIMARY KEY, at TEXT NOT NULL, "
        "kind TEXT NOT NULL, body TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL, "
        "signature TEXT)"
    ),
    (
        "CREATE TABLE IF NOT EXISTS registry_signatures (sha256 TEXT PRIMARY KEY, body {blob} "
        "NOT NULL)"
    ),
)
"""Names of their own, so that a registry may share a database with the ledger of budgets."""

Row = tuple[Any, ...]


class Dialect(NamedTuple):
    """What differs between the two databases."""

    blob: str
    gap: str
    begin: tuple[str, ...]
    """What makes a transaction the only one that writes."""


_SQLITE = Dialect("BLOB", "?", ("BEGIN IMMEDIATE",))
_POSTGRESQL = Dialect("BYTEA", "%s", (f"SELECT pg_advisory_xact_lock({_LOCK})",))


class Database:
    """One registry's tables; every block of reading or writing is a transaction of its own."""

    def __init__(self, place: str | Path) -> None:
        """Take a file, ``sqlite:///FILE`` or ``postgresql://…``; nothing is opened yet."""
        text = str(place)
        kind, _, rest = text.partition("://")
        self.path: Path | None = None
        self._address = text
        if kind in ("postgresql", "postgres"):
            self._dialect = _POSTGRESQL
            return
        if "://" in text and kind != "sqlite":
            raise InputError(
                "A registry is a SQLite file, or postgresql://USER@HOST/DATABASE. Name one of them."
            )
        self._dialect = _SQLITE
        self.path = Path(rest.removeprefix("/") if kind == "sqlite" else text).expanduser()

    @property
    def shown(self) -> str:
        """The place as messages name it: without user and password."""
        if self.path is not None:
            return str(self.path)
        host = self._address.partition("://")[2].rpartition("@")[2]
        return f"postgresql://{host.partition('?')[0]}"

    @property
    def exists(self) -> bool:
        """Whether there is a file; a server is taken to be there."""
        return self.path is None or self.path.exists()

    def create(self) -> None:
        """Make the tables; a new file is readable by its owner only."""
        if self.path is not None and not self.path.exists():
            try:
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            except OSError as error:
                raise FileError(
                    "{path} cannot be written: {reason}.",
                    path=self.path,
                    reason=str(error.strerror),
                ) from None
        with self.writing() as connection:
            for statement in _TABLES:
                connection.execute(statement.format(blob=self._dialect.blob))
            if self._version(connection) is None:
                connection.execute(
                    f"INSERT INTO registry_facts VALUES ('version', '{VERSION}')"  # noqa: S608  a constant
                )

    def check_version(self) -> None:
        """Refuse what is no registry, and one that a newer program has written."""
        with self.reading() as connection:
            found = self._version(connection)
        if found is None:
            raise FileError(
                "{place} is no registry of releases. Name another file.", place=self.shown
            )
        if found > VERSION:
            raise FileError(
                "The registry {place} is from a newer version of Microveil. Update the program; "
                "nothing was changed.",
                place=self.shown,
            )

    def _version(self, connection: Connection) -> int | None:
        if not self._has_tables(connection):
            return None
        rows = connection.rows("SELECT value FROM registry_facts WHERE name = 'version'")
        return int(rows[0][0]) if rows else None

    def _has_tables(self, connection: Connection) -> bool:
        if self.path is not None:
            looked = "SELECT 1 FROM sqlite_master WHERE name = 'registry_facts'"
        else:
            looked = "SELECT 1 WHERE to_regclass('registry_facts') IS NOT NULL"
        return bool(connection.rows(looked))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent state."""
        with self._telling(), self._connected() as raw:
            connection = Connection(raw, self._dialect.gap)
            if self.path is not None:
                raw.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that no other writer shares; durable when the block has ended."""
        with self._telling(), self._connected() as raw:
            connection = Connection(raw, self._dialect.gap)
            for statement in self._dialect.begin:
                raw.execute(statement)
            yield connection
            raw.commit()

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        """A connection for one block; what was not committed is rolled back."""
        if self.path is None:
            raw = _connect_server(self._address)
        else:
            raw = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            raw.execute("PRAGMA synchronous=FULL")
        try:
            yield raw
        finally:
            raw.close()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Turn a database's error into a sentence without address or password."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise FileError(_operational(self.shown, error)) from None
        except sqlite3.DatabaseError:
            raise FileError(
                "The registry {place} is damaged, or no registry. Restore a copy, or import an "
                "export (`microveil releases import`); nothing was changed.",
                place=self.shown,
            ) from None
        except Exception as error:
            if type(error).__module__.split(".")[0] != "psycopg":
                raise
            raise FileError(
                "The registry {place} cannot be used ({kind}). Check its address and your "
                "permissions.",
                place=self.shown,
                kind=type(error).__name__,
            ) from None


class Connection:
    """A transaction's statements, with the gaps as its database writes them."""

    def __init__(self, raw: Any, gap: str) -> None:
        """Wrap a connection of either driver."""
        self._raw, self._gap = raw, gap

    def execute(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Do one statement; gaps are written ``?``."""
        self._raw.execute(statement.replace("?", self._gap), tuple(values))

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """All rows of an answer."""
        found = self._raw.execute(statement.replace("?", self._gap), tuple(values))
        return [tuple(row) for row in found.fetchall()]


def _operational(shown: str, error: sqlite3.OperationalError) -> Message:
    text = str(error)
    if "locked" in text or "busy" in text:
        return phrase(
            "The registry {place} is locked by another program for longer than {seconds} s. Try "
            "again when it has ended; nothing was changed.",
            place=shown,
            seconds=f"{BUSY_SECONDS:.0f}",
        )
    if "readonly" in text or "read-only" in text:
        return phrase(
            "The registry {place} may not be written by you. Check its permissions.", place=shown
        )
    if "unable to open" in text:
        return phrase(
            "The registry {place} cannot be opened. Check its folder and your permissions.",
            place=shown,
        )
    return phrase("The registry {place} cannot be used: {reason}.", place=shown, reason=text)


def _connect_server(address: str) -> Any:
    try:
        import psycopg
    except ImportError:
        raise InputError(
            "A registry in PostgreSQL needs a driver: pip install 'microveil[sql]'."
        ) from None
    return psycopg.connect(address, connect_timeout=int(BUSY_SECONDS))
