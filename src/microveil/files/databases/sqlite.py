"""SQLite, by Python's own driver.

Types that SQLite lacks are kept by the declared type of the column: booleans as 0 and 1, dates,
times and timestamps as ISO text, durations as microseconds.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError
from microveil.files.column_types import KINDS
from microveil.files.databases.address import Address, quoted_name
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.sources import chosen, distinct, existing, refuse

TITLE = "SQLite"
_KINDS = {kind.name: kind for kind in KINDS}
_TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"


def load(source: str | Path, options: ReadOptions) -> pl.DataFrame:
    """A table or a query's answer; the database is opened for reading only."""
    address = Address.of(source, options.get("table"), options.get("query"), "sqlite")
    path = existing(Path(address.database))
    with _errors(address), closing(_connected(path, "ro")) as connection:
        query = address.query or _whole_table(connection, address)
        cursor = connection.execute(query)
        names = distinct([str(column[0]) for column in cursor.description], address.shown)
        rows = cursor.fetchall()
        declared = {} if address.query else _declared(connection, address)
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    columns = [
        _series(name, list(column), declared.get(name, ""))
        for name, column in zip(names, cells, strict=True)
    ]
    return pl.DataFrame(columns).select(chosen(names, options.get("columns"), address.shown))


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute(_TABLES) if not name.startswith("sqlite_")]


def _whole_table(connection: sqlite3.Connection, address: Address) -> str:
    table = address.chosen_table(_tables(connection))
    return f"SELECT * FROM {quoted_name(table)}"  # noqa: S608 - the name is quoted


def _declared(connection: sqlite3.Connection, address: Address) -> dict[str, str]:
    table = address.chosen_table(_tables(connection))
    rows = connection.execute(f"PRAGMA table_info({quoted_name(table)})")
    return {row[1]: str(row[2]).upper() for row in rows}


def _series(name: str, cells: list[Any], declared: str) -> pl.Series:
    """A column of cells that may each have a type of their own; mixed ones become text."""
    types = {type(cell) for cell in cells if cell is not None}
    if not types:
        return pl.Series(name, cells, dtype=_empty_type(declared))
    if types == {int}:
        return _from_numbers(pl.Series(name, cells, dtype=pl.Int64), declared)
    if types <= {int, float}:
        return _from_numbers(pl.Series(name, cells, dtype=pl.Float64, strict=False), declared)
    if bytes in types:
        raise FileError(f"Column '{name}' holds binary cells. Leave it out with a query.")
    texts = [cell if cell is None or isinstance(cell, str) else str(cell) for cell in cells]
    return _from_texts(pl.Series(name, texts, dtype=pl.String), declared)


def _from_numbers(column: pl.Series, declared: str) -> pl.Series:
    if declared.startswith("BOOL") and column.is_in([0, 1]).all():
        return column.cast(pl.Boolean)
    if declared == "INTERVAL" and column.dtype == pl.Int64:
        return column.cast(pl.Duration("us"))
    if declared.startswith("DECIMAL(") or declared in ("REAL", "DOUBLE", "FLOAT"):
        return column.cast(_empty_type(declared))
    return column


def _from_texts(column: pl.Series, declared: str) -> pl.Series:
    kind = {"DATE": "date", "TIMESTAMP": "datetime", "TIMESTAMPTZ": "instant"}.get(declared)
    text = pl.col(column.name)
    if kind is None and declared != "TIME":
        return column
    value = _KINDS[kind].value(text) if kind else text.str.to_time("%H:%M:%S%.f", strict=False)
    parsed = column.to_frame().select(value.alias(column.name)).to_series()
    return parsed if parsed.null_count() == column.null_count() else column


def _empty_type(declared: str) -> pl.DataType | type[pl.DataType]:
    if declared.startswith("DECIMAL("):
        precision, scale = declared.removeprefix("DECIMAL(").rstrip(")").split(",")
        return pl.Decimal(int(precision), int(scale))
    plain: dict[str, pl.DataType | type[pl.DataType]] = {
        "INTEGER": pl.Int64,
        "BIGINT": pl.Int64,
        "INT": pl.Int64,
        "BOOLEAN": pl.Boolean,
        "REAL": pl.Float64,
        "DOUBLE": pl.Float64,
        "FLOAT": pl.Float64,
        "DATE": pl.Date,
        "TIMESTAMP": pl.Datetime("us"),
        "TIMESTAMPTZ": pl.Datetime("us", "UTC"),
        "TIME": pl.Time,
        "INTERVAL": pl.Duration("us"),
    }
    return plain.get(declared, pl.String)


@contextmanager
def sink(
    source: str | Path, schema: pl.Schema, options: WriteOptions
) -> Iterator[Callable[[pl.DataFrame], None]]:
    """Fill a new table and give it the old one's name, in one transaction."""
    refuse(schema, TITLE)
    address = Address.of(source, options.get("table"), None, "sqlite")
    table, path = address.target(), Path(address.database)
    scratch = quoted_name(f"microveil_partial_{secrets.token_hex(4)}")
    fresh = not path.exists()
    try:
        with _errors(address), closing(_connected(path, "rwc")) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            declared = ", ".join(f"{quoted_name(n)} {_sql_type(t)}" for n, t in schema.items())
            connection.execute(f"CREATE TABLE {scratch} ({declared})")
            marks = ", ".join("?" * len(schema))
            insert = f"INSERT INTO {scratch} VALUES ({marks})"  # noqa: S608 - our own name
            yield lambda frame: _insert(connection, insert, frame)
            connection.execute(f"DROP TABLE IF EXISTS {quoted_name(table)}")
            connection.execute(f"ALTER TABLE {scratch} RENAME TO {quoted_name(table)}")
    except BaseException:
        if fresh:
            path.unlink(missing_ok=True)
        raise


def _insert(connection: sqlite3.Connection, insert: str, frame: pl.DataFrame) -> None:
    plain = frame.select(_plain(pl.col(name), dtype) for name, dtype in frame.schema.items())
    connection.executemany(insert, plain.iter_rows())


def _plain(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if dtype == pl.Boolean:
        return column.cast(pl.Int8)
    if dtype == pl.Duration:
        return column.dt.total_microseconds()
    if dtype == pl.Datetime:
        zone = getattr(dtype, "time_zone", None)
        mark = "+00:00" if zone else ""
        column = column.dt.convert_time_zone("UTC") if zone else column
        return column.dt.strftime(f"%Y-%m-%dT%H:%M:%S%.6f{mark}")
    if dtype.is_integer():
        return column.cast(pl.Int64)
    return column if dtype.is_float() else column.cast(pl.String)


def _sql_type(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.Decimal):
        return f"DECIMAL({dtype.precision},{dtype.scale})"
    if dtype.is_integer() or dtype.is_float():
        return "INTEGER" if dtype.is_integer() else "REAL"
    if dtype == pl.Datetime:
        return "TIMESTAMPTZ" if getattr(dtype, "time_zone", None) else "TIMESTAMP"
    words = {pl.Boolean: "BOOLEAN", pl.Date: "DATE", pl.Time: "TIME", pl.Duration: "INTERVAL"}
    return words.get(dtype.base_type(), "TEXT")


@contextmanager
def _errors(address: Address) -> Iterator[None]:
    """SQLite's messages speak of names and syntax, not of cells; constraints are not shown."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise FileError(f"{address.shown}: a rule of the database refuses the rows.") from None
    except sqlite3.Error as error:
        raise FileError(f"{address.shown}: SQLite says: {error}.") from None
