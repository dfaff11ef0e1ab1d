"""DuckDB, through Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError
from microveil.files.databases.address import Address, quoted_name
from microveil.files.databases.target import check_columns, fate_of, scratch_name, settle
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import in_microseconds, plain
from microveil.files.sources import chosen, distinct, existing, refuse, refuse_wide

TITLE = "DuckDB"
_TABLES = (
    "SELECT CASE table_schema WHEN 'main' THEN table_name ELSE table_schema || '.' || table_name "
    "END FROM information_schema.tables ORDER BY 1"
)


def load(source: str | Path, options: ReadOptions) -> pl.DataFrame:
    """A table or a query result; the database is opened read-only and sees no other file."""
    address = Address.of(source, options.get("table"), options.get("query"), "duckdb")
    path = existing(Path(address.database))
    with _errors(address), closing(_connected(path, read_only=True)) as connection:
        query = address.query or f"SELECT * FROM {_table_name(connection, address)}"  # noqa: S608 - the name is quoted
        return _answer(connection, query, options.get("columns"), address)


def _answer(
    connection: Any, query: str, asked: Sequence[str] | None, address: Address
) -> pl.DataFrame:
    columns = connection.execute(f"DESCRIBE {query}").fetchall()
    names = distinct([str(column[0]) for column in columns], address.shown)
    wanted = chosen(names, asked, address.shown)
    types = {str(column[0]): str(column[1]) for column in columns}
    picked = ", ".join(_picked(name, types[name]) for name in wanted)
    answer = connection.sql(f"SELECT {picked} FROM ({query})").to_arrow_table()  # noqa: S608 - names are quoted, the query is the caller's
    frame = pl.from_arrow(answer)
    durations = [name for name in wanted if types[name] == "INTERVAL"]
    assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table with columns is a frame
    return frame.with_columns(pl.col(durations).cast(pl.Duration("us")))


def _picked(name: str, kind: str) -> str:
    column = quoted_name(name)
    return f"epoch_us({column}) AS {column}" if kind == "INTERVAL" else column


def _tables(connection: Any) -> list[str]:
    return [name for (name,) in connection.execute(_TABLES).fetchall()]


def _table_name(connection: Any, address: Address) -> str:
    chosen_one = address.chosen_table(_tables(connection))
    return ".".join(quoted_name(part) for part in chosen_one.split("."))


def _connected(path: Path, *, read_only: bool) -> Any:
    import duckdb

    settings: dict[str, Any] = {"enable_external_access": not read_only}
    connection = duckdb.connect(str(path), read_only=read_only, config=settings)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def tables_of(address: Address) -> list[str]:
    """Names of the tables; none if the database does not exist yet."""
    path = Path(address.database)
    if not path.exists():
        return []
    with _errors(address), closing(_connected(path, read_only=True)) as connection:
        return _tables(connection)


@dataclass
class _Session:
    """One transaction for all tables written to a database."""

    address: Address
    connection: Any

    @classmethod
    def opened(cls, address: Address, path: Path) -> _Session:
        with _errors(address):
            connection = _connected(path, read_only=False)
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
    *outer, table = address.target().split(".")
    place = "".join(f"{quoted_name(part)}." for part in outer)
    target, scratch = f"{place}{quoted_name(table)}", f"{place}{scratch_name()}"
    session = placing.session(
        f"duckdb {path.resolve()}", lambda made: _Session.opened(address, made or path), path
    )
    connection = session.connection
    with _errors(address):
        fate = fate_of(address, _tables(connection), options)
        if fate == "append":
            there = connection.execute(f"DESCRIBE {target}").fetchall()
            check_columns(address, [str(column[0]) for column in there], schema.names())
        _append(connection, f"CREATE TABLE {scratch} AS SELECT * FROM", schema.to_frame())
        yield Sink(
            lambda frame: _append(connection, f"INSERT INTO {scratch} SELECT * FROM", frame),
            lambda: iter([_answer(connection, f"SELECT * FROM {scratch}", None, address)]),  # noqa: S608 - our own name
        )
        settle(connection.execute, fate, scratch, target, schema.names())


def stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as DuckDB holds it: categories as text, spans and times to the microsecond."""
    told = plain(frame, {})
    return told.select(_stored(told[name]) for name in told.columns)


def _stored(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Time:
        return (column.to_physical() // 1000 * 1000).cast(pl.Time)
    zone = getattr(column.dtype, "time_zone", None)
    if column.dtype == pl.Duration or zone:
        column = in_microseconds(column)
    return column.dt.convert_time_zone("UTC") if zone else column


def _append(connection: Any, statement: str, frame: pl.DataFrame) -> None:
    texts = pl.col(pl.Categorical, pl.Enum, pl.Null).cast(pl.String)
    connection.register("microveil_rows", frame.with_columns(texts).to_arrow())
    connection.execute(f"{statement} microveil_rows")
    connection.unregister("microveil_rows")


@contextmanager
def _errors(address: Address) -> Iterator[None]:
    """Show DuckDB's messages about names and syntax only; others may quote cells."""
    import duckdb

    speaking = (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException)
    try:
        yield
    except speaking as error:
        line = str(error).partition("\n")[0].rstrip(".")
        raise FileError(f"{address.shown}: DuckDB says: {line}.") from None
    except duckdb.Error as error:
        msg = f"{address.shown}: DuckDB refuses with {type(error).__name__}."
        raise FileError(msg) from None
