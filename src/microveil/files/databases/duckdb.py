"""DuckDB, through Arrow."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError
from microveil.files.databases.address import Address, quoted_name
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.sources import chosen, distinct, existing, refuse

TITLE = "DuckDB"
_TABLES = (
    "SELECT CASE table_schema WHEN 'main' THEN table_name ELSE table_schema || '.' || table_name "
    "END FROM information_schema.tables ORDER BY 1"
)


def load(source: str | Path, options: ReadOptions) -> pl.DataFrame:
    """A table or a query's answer; the database is opened for reading and sees no other file."""
    address = Address.of(source, options.get("table"), options.get("query"), "duckdb")
    path = existing(Path(address.database))
    with _errors(address), closing(_connected(path, read_only=True)) as connection:
        query = address.query or f"SELECT * FROM {_table_name(connection, address)}"  # noqa: S608 - the name is quoted
        columns = connection.execute(f"DESCRIBE {query}").fetchall()
        names = distinct([str(column[0]) for column in columns], address.shown)
        wanted = chosen(names, options.get("columns"), address.shown)
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


def _table_name(connection: Any, address: Address) -> str:
    tables = [name for (name,) in connection.execute(_TABLES).fetchall()]
    return ".".join(quoted_name(part) for part in address.chosen_table(tables).split("."))


def _connected(path: Path, *, read_only: bool) -> Any:
    import duckdb

    settings: dict[str, Any] = {"enable_external_access": not read_only}
    connection = duckdb.connect(str(path), read_only=read_only, config=settings)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


@contextmanager
def sink(
    source: str | Path, schema: pl.Schema, options: WriteOptions
) -> Iterator[Callable[[pl.DataFrame], None]]:
    """Fill a new table and give it the old one's name, in one transaction."""
    refuse(schema, TITLE)
    address = Address.of(source, options.get("table"), None, "duckdb")
    *outer, table = address.target().split(".")
    place = "".join(f"{quoted_name(part)}." for part in outer)
    scratch = f"{place}{quoted_name(f'microveil_partial_{secrets.token_hex(4)}')}"
    path = Path(address.database)
    fresh = not path.exists()
    try:
        with _errors(address), closing(_connected(path, read_only=False)) as connection:
            connection.execute("BEGIN")
            _append(connection, f"CREATE TABLE {scratch} AS SELECT * FROM", schema.to_frame())
            yield lambda frame: _append(connection, f"INSERT INTO {scratch} SELECT * FROM", frame)
            connection.execute(f"DROP TABLE IF EXISTS {place}{quoted_name(table)}")
            connection.execute(f"ALTER TABLE {scratch} RENAME TO {quoted_name(table)}")
            connection.execute("COMMIT")
    except BaseException:
        if fresh:
            path.unlink(missing_ok=True)
        raise


def _append(connection: Any, statement: str, frame: pl.DataFrame) -> None:
    texts = pl.col(pl.Categorical, pl.Enum, pl.Null).cast(pl.String)
    connection.register("microveil_rows", frame.with_columns(texts).to_arrow())
    connection.execute(f"{statement} microveil_rows")
    connection.unregister("microveil_rows")


@contextmanager
def _errors(address: Address) -> Iterator[None]:
    """Show what DuckDB says of names and syntax; its other messages may quote cells."""
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
