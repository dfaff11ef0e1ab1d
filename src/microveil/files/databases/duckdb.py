"""DuckDB, through Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from microveil.cores import n_threads
from microveil.errors import FileError
from microveil.files.databases.address import Address, quoted_name
from microveil.files.databases.target import (
    check_columns,
    fate_of,
    lost_with,
    scratch_name,
    settle,
    split_name,
)
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import in_microseconds, plain
from microveil.files.sources import choose_columns, distinct, existing, refuse, refuse_wide
from microveil.texts import phrase

TITLE = "DuckDB"
_ROWS_AT_A_TIME = 1 << 16
"""Rows of one statement: DuckDB 2.0 does not find rows again, in the transaction that wrote them,
once a statement fills a whole row group (122,880 rows)."""
_DAMAGED = phrase(
    "it cannot be opened or written: it is damaged, no DuckDB database, or not allowed"
)
_REASONS = {
    "IOException": _DAMAGED,
    "SerializationException": _DAMAGED,
    "OutOfMemoryException": phrase("DuckDB has not enough memory for this table"),
    "ConversionException": phrase("a cell cannot be turned into its column's type"),
    "ConstraintException": phrase("a rule of the table refuses the rows"),
}
_TABLES = (
    "SELECT table_schema, table_name FROM information_schema.tables "
    "WHERE table_catalog = current_database() ORDER BY 1, 2"
)


def load(source: str | Path, options: ReadOptions) -> pl.DataFrame:
    """A table or a query result; the database is opened read-only and sees no other file."""
    address = Address.of(source, options.get("table"), options.get("query"), "duckdb")
    path = existing(Path(address.database))
    with _errors(address), closing(_connect(path, read_only=True)) as connection:
        return _answer(connection, _query(connection, address), options.get("columns"), address)


def parts(source: str | Path, options: ReadOptions, n_rows: int) -> Iterator[pl.DataFrame]:
    """The same, some rows at a time: memory holds no more than these."""
    address = Address.of(source, options.get("table"), options.get("query"), "duckdb")
    path = existing(Path(address.database))
    with _errors(address), closing(_connect(path, read_only=True)) as connection:
        query = _query(connection, address)
        answer, durations = _ask(connection, query, options.get("columns"), address)
        for batch in answer.to_arrow_reader(n_rows):
            if batch.num_rows:
                yield _as_frame(batch, durations)


def _query(connection: Any, address: Address) -> str:
    return address.query or f"SELECT * FROM {_table_name(connection, address)}"  # noqa: S608 - the name is quoted


def _answer(
    connection: Any, query: str, asked: Sequence[str] | None, address: Address
) -> pl.DataFrame:
    answer, durations = _ask(connection, query, asked, address)
    return _as_frame(answer.to_arrow_table(), durations)


def _ask(
    connection: Any, query: str, asked: Sequence[str] | None, address: Address
) -> tuple[Any, list[str]]:
    """What DuckDB answers with, before it is fetched, and which columns are durations."""
    columns = connection.execute(f"DESCRIBE {query}").fetchall()
    names = distinct([str(column[0]) for column in columns], address.shown)
    wanted = choose_columns(names, asked, address.shown)
    types = {str(column[0]): str(column[1]) for column in columns}
    picked = ", ".join(_select_item(name, types[name]) for name in wanted)
    durations = [name for name in wanted if types[name] == "INTERVAL"]
    return connection.sql(f"SELECT {picked} FROM ({query})"), durations  # noqa: S608 - names are quoted, the query is the caller's


def _as_frame(rows: Any, durations: Sequence[str]) -> pl.DataFrame:
    frame = pl.from_arrow(rows)
    assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table with columns is a frame
    return frame.with_columns(pl.col(durations).cast(pl.Duration("us")))


def _select_item(name: str, kind: str) -> str:
    column = quoted_name(name)
    return f"epoch_us({column}) AS {column}" if kind == "INTERVAL" else column


def _tables(connection: Any) -> dict[str, tuple[str, str]]:
    """Schema and name of each table, by the name it is shown under."""
    found = connection.execute(_TABLES).fetchall()
    named = {
        name if schema == "main" else f"{schema}.{name}": (str(schema), str(name))
        for schema, name in found
    }
    return dict(sorted(named.items()))


def _table_name(connection: Any, address: Address) -> str:
    tables = _tables(connection)
    asked = address.table
    if asked is not None and asked not in tables and asked.startswith("main."):
        asked = asked.removeprefix("main.")
    wanted = replace(address, table=asked)
    return ".".join(quoted_name(part) for part in tables[wanted.chosen_table(list(tables))])


def _connect(path: Path, *, read_only: bool) -> Any:
    import duckdb

    settings: dict[str, Any] = {"enable_external_access": not read_only, "threads": n_threads()}
    connection = duckdb.connect(str(path), read_only=read_only, config=settings)
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET enable_progress_bar = false")  # DuckDB 2.0 shows one by default
    return connection


def exists(address: Address) -> bool:
    """Whether the database has the table to write."""
    path = Path(address.database)
    if not path.exists():
        split_name(address, address.target())
        return False
    with _errors(address), closing(_connect(path, read_only=True)) as connection:
        return _Table.of(connection, address).exists


def tables_of(address: Address) -> list[str]:
    """Names of the tables; none if the database does not exist yet."""
    path = Path(address.database)
    if not path.exists():
        return []
    with _errors(address), closing(_connect(path, read_only=True)) as connection:
        return list(_tables(connection))


@dataclass
class _Transaction:
    """One transaction for all tables written to a database."""

    address: Address
    connection: Any

    @classmethod
    def begin(cls, address: Address, path: Path) -> _Transaction:
        with _errors(address):
            connection = _connect(path, read_only=False)
            connection.execute("BEGIN")
        return cls(address, connection)

    def commit(self) -> None:
        with _errors(self.address):
            self.connection.execute("COMMIT")

    def close(self) -> None:
        self.connection.close()


@contextmanager
def sink(
    source: str | Path, schema: pl.Schema, options: WriteOptions, placing: Placing
) -> Iterator[Sink]:
    """Fill a new table and rename it, all tables of a database in one transaction."""
    refuse(schema, TITLE)
    refuse_wide(schema, TITLE)
    address = Address.of(source, options.get("table"), None, "duckdb")
    path = Path(address.database)
    session = placing.session(
        f"duckdb {path.resolve()}", lambda made: _Transaction.begin(address, made or path), path
    )
    connection = session.connection
    with _errors(address):
        table = _Table.of(connection, address)
        target, scratch = table.sql, f"{table.place}.{scratch_name()}"
        fate = fate_of(address, options, exists=table.exists)
        if fate == "append":
            there = connection.execute(f"DESCRIBE {target}").fetchall()
            check_columns(address, [str(column[0]) for column in there], schema.names())
        _append(connection, f"CREATE TABLE {scratch} AS SELECT * FROM", schema.to_frame())
        comments, notes = _belongings(connection, table) if fate == "replace" else ({}, [])
        yield Sink(
            lambda frame: _append(connection, f"INSERT INTO {scratch} SELECT * FROM", frame),
            lambda: iter([_answer(connection, f"SELECT * FROM {scratch}", None, address)]),  # noqa: S608 - our own name
            notes,
        )
        settle(connection.execute, fate, scratch, target, schema.names())
        for column, text in comments.items():
            if column is None or column in schema:
                _comment(connection, table, column, text)


@dataclass(frozen=True)
class _Table:
    """A table by its full name: a name in two parts could also mean another database's."""

    catalog: str
    schema: str
    name: str
    exists: bool

    @classmethod
    def of(cls, connection: Any, address: Address) -> _Table:
        schema, name = split_name(address, address.target())
        catalog = str(connection.execute("SELECT current_database()").fetchone()[0])
        wanted = ((schema or "main").casefold(), name.casefold())
        there = {(s.casefold(), n.casefold()) for s, n in _tables(connection).values()}
        return cls(catalog, schema or "main", name, wanted in there)

    @property
    def place(self) -> str:
        return f"{quoted_name(self.catalog)}.{quoted_name(self.schema)}"

    @property
    def sql(self) -> str:
        return f"{self.place}.{quoted_name(self.name)}"


def _belongings(connection: Any, table: _Table) -> tuple[dict[str | None, str], list[str]]:
    """The comments of a table that is replaced, by column, and what goes with it."""
    where = (
        "database_name = current_database() AND lower(schema_name) = lower(?) "
        "AND lower(table_name) = lower(?)"
    )
    named = (table.schema, table.name)
    about = connection.execute(
        f"SELECT comment, index_count FROM duckdb_tables() WHERE {where}",  # noqa: S608 - our own words
        named,
    ).fetchone()
    columns = connection.execute(
        f"SELECT column_name, comment FROM duckdb_columns() WHERE {where}",  # noqa: S608 - our own words
        named,
    ).fetchall()
    comments: dict[str | None, str | None] = {None: about[0] if about else None, **dict(columns)}
    notes = lost_with({"index": about[1]}) if about else []
    return {name: text for name, text in comments.items() if text is not None}, notes


def _comment(connection: Any, table: _Table, column: str | None, text: str) -> None:
    what = "TABLE" if column is None else "COLUMN"
    name = table.sql if column is None else f"{table.sql}.{quoted_name(column)}"
    told = text.replace("'", "''")
    connection.execute(f"COMMENT ON {what} {name} IS '{told}'")


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as DuckDB holds it: categories as text, spans and times to the microsecond."""
    told = plain(frame, {})
    return told.select(_store_column(told[name]) for name in told.columns)


def _store_column(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Time:
        return (column.to_physical() // 1000 * 1000).cast(pl.Time)
    zone = getattr(column.dtype, "time_zone", None)
    if column.dtype == pl.Duration or zone:
        column = in_microseconds(column)
    return column.dt.convert_time_zone("UTC") if zone else column


def _append(connection: Any, statement: str, frame: pl.DataFrame) -> None:
    texts = pl.col(pl.Categorical, pl.Enum, pl.Null).cast(pl.String)
    told = frame.with_columns(texts)
    for part in told.iter_slices(_ROWS_AT_A_TIME) if told.height else [told]:
        connection.register("microveil_rows", part.to_arrow())
        connection.execute(f"{statement} microveil_rows")
        connection.unregister("microveil_rows")


@contextmanager
def _errors(address: Address) -> Iterator[None]:
    """Show DuckDB's messages about names and syntax only; others may quote cells."""
    import duckdb

    speaking = (
        duckdb.CatalogException,
        duckdb.BinderException,
        duckdb.ParserException,
        duckdb.PermissionException,
    )
    try:
        yield
    except speaking as error:
        line = str(error).partition("\n")[0].rstrip(".")
        raise FileError("{shown}: DuckDB says: {line}.", shown=address.shown, line=line) from None
    except duckdb.Error as error:
        raise FileError("{shown}: {reason}.", shown=address.shown, reason=_reason(error)) from None


def _reason(error: Exception) -> str:
    """Why DuckDB refuses, as far as it can be told without quoting a cell."""
    told, kind = str(error), type(error).__name__
    if kind == "IOException" and "lock" in told.casefold():
        return phrase("another program has the database open. Close it there, and run again")
    if "No space left" in told or "os error 28" in told:
        return phrase("the disk is full. Nothing was changed")
    return _REASONS.get(kind, phrase("DuckDB refuses with {kind}", kind=kind))
