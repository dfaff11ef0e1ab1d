"""The ledger's database: by default a SQLite file, or PostgreSQL by its address."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.errors import FileError, InputError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

BUSY_SECONDS = 30
"""How long a process waits for another one to finish writing."""
_UPGRADE_LOCK = 0x6D766C67
"""Number of the advisory lock for creating tables in PostgreSQL."""


class Database:
    """Connections to one ledger: many readers, one writer."""

    def __init__(self, url: str) -> None:
        """Connect to ``sqlite:///file.db`` or ``postgresql://…``; nothing is written yet."""
        self.url = _driver_url(url)
        self.is_sqlite = self.url.startswith("sqlite")
        self._readers = self._engine(writes=False)
        self._writers = self._engine(writes=True)

    @property
    def readers(self) -> Engine:
        """Connections for reading; a reader never waits for the writer."""
        return self._readers

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that reads one consistent state."""
        with self._readers.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that no other writer shares; durable when the block has ended."""
        with self._writers.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close the connections."""
        self._readers.dispose()
        self._writers.dispose()

    def _engine(self, *, writes: bool) -> Engine:
        from sqlalchemy import create_engine, event

        if not self.is_sqlite:
            level = "READ COMMITTED" if writes else "REPEATABLE READ"
            return create_engine(self.url, isolation_level=level, pool_pre_ping=not writes)
        engine = create_engine(
            self.url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False}
        )
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_writing if writes else _begin_reading)
        return engine


def _driver_url(url: str) -> str:
    """The address with our driver in it; the password stays out of messages."""
    kind, _, rest = url.partition("://")
    if kind in ("postgresql", "postgres", "postgresql+psycopg"):
        return f"postgresql+psycopg://{rest}"
    if kind == "sqlite" and rest.strip("/") not in ("", ":memory:"):
        return url
    raise InputError(
        "The ledger's address must be sqlite:///FILE or postgresql://USER@HOST/DATABASE."
    )


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """Durable at every commit; readers alongside the writer; explicit transactions only."""
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}").close()


def _begin_writing(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN DEFERRED")


@contextmanager
def telling(database: Database) -> Iterator[None]:
    """Turn the database's errors into a sentence without address or password."""
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except DBAPIError as error:
        what = type(error.orig).__name__
        kind = "SQLite file" if database.is_sqlite else "PostgreSQL database"
        raise FileError(
            f"The ledger's {kind} cannot be used ({what}). Check its address and your permissions."
        ) from None


def make_private(database: Database) -> None:
    """Let only the owner of a SQLite file read and write it; SQLite's own files follow it."""
    if not database.is_sqlite:
        return
    path = Path(database.url.removeprefix("sqlite:///"))
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        for one in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            if one.exists():
                one.chmod(0o600)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}.") from None


def upgrade(database: Database) -> None:
    """Create or upgrade the tables; one process does it, others wait."""
    make_private(database)
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import text

    config = Config()
    config.set_main_option("script_location", "microveil.service.ledger:migrations")
    with telling(database), database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _UPGRADE_LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def revision(database: Database) -> str | None:
    """The migration that the tables have reached; None for an empty database."""
    from sqlalchemy import inspect, text

    with telling(database), database.reading() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.execute(
            text("SELECT version_num FROM alembic_version")
        ).scalar()
        return found
