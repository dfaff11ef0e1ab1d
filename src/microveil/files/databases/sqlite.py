"""SQLite, by Python's own driver.

Types that SQLite lacks are preserved by the declared type of the column: booleans as 0 and 1,
dates, times and timestamps as ISO text, durations as microseconds.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError
from microveil.files.columns.column_types import KINDS
from microveil.files.databases.address import Address, quoted_name
from microveil.files.databases.target import (
    check_columns,
    fate_of,
    holds,
    lost_with,
    scratch_name,
    settle,
)
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import in_microseconds, plain
from microveil.files.sources import choose_columns, distinct, existing, refuse, refuse_large

TITLE = "SQLite"
PATIENCE = 5
"""Seconds to wait for another program that writes to the database."""
_ROWS_AT_A_TIME = 1 << 16
_MOST_DIGITS = 38
_KINDS = {kind.name: kind for kind in KINDS}
_TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"


def load(source: str | Path, options: ReadOptions) -> pl.DataFrame:
    """A table or a query result; the database is opened read-only."""
    address = Address.of(source, options.get("table"), options.get("query"), "sqlite")
    path = existing(Path(address.database))
    with _errors(address), closing(_connect(path, "ro")) as connection:
        query = address.query or _whole_table(connection, address)
        cursor = connection.execute(query)
        names = distinct([str(column[0]) for column in cursor.description], address.shown)
        rows = cursor.fetchall()
        declared = {} if address.query else _declared_types(connection, address)
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    columns = [
        _series(name, list(column), declared.get(name, ""))
        for name, column in zip(names, cells, strict=True)
    ]
    return pl.DataFrame(columns).select(
        choose_columns(names, options.get("columns"), address.shown)
    )


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", PATIENCE, uri=True)
    if mode == "ro" and _needs_recovery(connection):
        # A killed writer left a transaction half done; only a writer can take it back.
        connection.close()
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", PATIENCE, uri=True)
        connection.execute("PRAGMA query_only = 1")
    # The driver's own message about invalid text quotes the text.
    connection.text_factory = _text
    return connection


def _needs_recovery(connection: sqlite3.Connection) -> bool:
    """Whether the database must be recovered before it can be read."""
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return error.sqlite_errorname.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN"))
    except sqlite3.Error:
        return False
    return False


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise FileError(
            "A text cell of the database is not UTF-8: it is damaged, or not text. Leave its "
            "column out with a query."
        ) from None


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute(_TABLES) if not name.startswith("sqlite_")]


def _whole_table(connection: sqlite3.Connection, address: Address) -> str:
    table = address.chosen_table(_tables(connection))
    return f"SELECT * FROM {quoted_name(table)}"  # noqa: S608 - the name is quoted


def _declared_types(connection: sqlite3.Connection, address: Address) -> dict[str, str]:
    table = address.chosen_table(_tables(connection))
    rows = connection.execute(f"PRAGMA table_info({quoted_name(table)})")
    return {row[1]: str(row[2]).upper() for row in rows}


def _series(name: str, cells: list[Any], declared: str) -> pl.Series:
    """A column whose cells may have different types; mixed ones become text."""
    types = {type(cell) for cell in cells if cell is not None}
    if not types:
        return pl.Series(name, cells, dtype=_empty_type(declared))
    if types == {int}:
        return _from_numbers(pl.Series(name, cells, dtype=pl.Int64), declared)
    if types <= {int, float}:
        return _from_numbers(pl.Series(name, cells, dtype=pl.Float64, strict=False), declared)
    if bytes in types:
        raise FileError("Column '{name}' holds binary cells. Leave it out with a query.", name=name)
    texts = [cell if cell is None or isinstance(cell, str) else str(cell) for cell in cells]
    return _from_texts(pl.Series(name, texts, dtype=pl.String), declared)


def _from_numbers(column: pl.Series, declared: str) -> pl.Series:
    if declared.startswith("BOOL") and ((column == 0) | (column == 1)).all():
        return column.cast(pl.Boolean)
    if declared == "INTERVAL" and column.dtype == pl.Int64:
        return column.cast(pl.Duration("us"))
    if declared in ("REAL", "DOUBLE", "FLOAT"):
        return column.cast(pl.Float64)
    exact = _decimal(declared)
    # A cell may have more digits than its column declares: SQLite does not hold columns to it.
    return column if exact is None or not _fits(column, exact) else column.cast(exact)


def _fits(column: pl.Series, exact: pl.Decimal) -> bool:
    """Whether every number has at most the digits of a type before its point."""
    whole = column.drop_nulls().cast(pl.Float64).abs().round(exact.scale)
    return bool((whole < 10.0 ** (exact.precision - exact.scale)).all())


def _from_texts(column: pl.Series, declared: str) -> pl.Series:
    kind = {"DATE": "date", "TIMESTAMP": "datetime", "TIMESTAMPTZ": "instant"}.get(declared)
    text = pl.col(column.name)
    if kind is None and declared != "TIME":
        return column
    value = _KINDS[kind].value(text) if kind else text.str.to_time("%H:%M:%S%.f", strict=False)
    parsed = column.to_frame().select(value.alias(column.name)).to_series()
    return parsed if parsed.null_count() == column.null_count() else column


def _decimal(declared: str) -> pl.Decimal | None:
    """The exact type of a column that declares its digits as we write them; None for others."""
    digits = re.fullmatch(r"DECIMAL\((\d{1,2}),\s*(\d{1,2})\)", declared)
    if digits is None:
        return None
    precision, scale = int(digits[1]), int(digits[2])
    return (
        pl.Decimal(precision, scale) if scale <= precision <= _MOST_DIGITS and precision else None
    )


def _empty_type(declared: str) -> pl.DataType | type[pl.DataType]:
    exact = _decimal(declared)
    if exact is not None:
        return exact
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


def exists(address: Address) -> bool:
    """Whether the database has the table to write."""
    return holds(tables_of(address), address.target())


def tables_of(address: Address) -> list[str]:
    """Names of the tables; none if the database does not exist yet."""
    path = Path(address.database)
    if not path.exists():
        return []
    with _errors(address), closing(_connect(path, "ro")) as connection:
        return _tables(connection)


@dataclass
class _Transaction:
    """One transaction for all tables written to a database."""

    address: Address
    connection: sqlite3.Connection

    @classmethod
    def begin(cls, address: Address, path: Path) -> _Transaction:
        with _errors(address):
            connection = _connect(path, "rwc")
            connection.execute("BEGIN IMMEDIATE")
        return cls(address, connection)

    def commit(self) -> None:
        with _errors(self.address):
            self.connection.commit()

    def close(self) -> None:
        self.connection.close()


@contextmanager
def sink(
    source: str | Path, schema: pl.Schema, options: WriteOptions, placing: Placing
) -> Iterator[Sink]:
    """Fill a new table and rename it, all tables of a database in one transaction."""
    refuse(schema, TITLE)
    address = Address.of(source, options.get("table"), None, "sqlite")
    table, path = quoted_name(address.target()), Path(address.database)
    session = placing.session(
        f"sqlite {path.resolve()}", lambda made: _Transaction.begin(address, made or path), path
    )
    connection, scratch = session.connection, scratch_name()
    with _errors(address):
        fate = fate_of(address, options, exists=holds(_tables(connection), address.target()))
        if fate == "append":
            check_columns(address, list(_declared_types(connection, address)), schema.names())
        declared = ", ".join(f"{quoted_name(n)} {_sql_type(t)}" for n, t in schema.items())
        connection.execute(f"CREATE TABLE {scratch} ({declared})")
        insert = f"INSERT INTO {scratch} VALUES ({', '.join('?' * len(schema))})"  # noqa: S608 - our own name
        yield Sink(
            lambda frame: _insert(connection, insert, frame),
            lambda: _rows(connection, scratch, schema),
            _list_lost(connection, address) if fate == "replace" else [],
        )
        settle(connection.execute, fate, scratch, table, schema.names())


def _list_lost(connection: sqlite3.Connection, address: Address) -> list[str]:
    """What goes with the table that is replaced."""
    rows = connection.execute(
        "SELECT type, count(*) FROM sqlite_master WHERE lower(tbl_name) = lower(?) "
        "AND type IN ('index', 'trigger') GROUP BY type ORDER BY type",
        (address.target(),),
    )
    return lost_with(dict(rows.fetchall()))


def _rows(connection: sqlite3.Connection, table: str, schema: pl.Schema) -> Iterator[pl.DataFrame]:
    """The rows of a table as they are in the database, whatever was intended."""
    cursor = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - our own name
    while rows := cursor.fetchmany(_ROWS_AT_A_TIME):
        cells = zip(schema.items(), zip(*rows, strict=True), strict=True)
        yield pl.DataFrame([_series(n, list(column), _sql_type(t)) for (n, t), column in cells])


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as SQLite holds it: whole numbers of 64 bits, times to the microsecond."""
    told = plain(frame, {n: pl.Int64 for n, t in frame.schema.items() if t.is_integer()})
    told = told.cast({n: pl.Float64 for n, t in told.schema.items() if t == pl.Float32})
    return told.select(in_microseconds(told[name]) for name in told.columns)


def _insert(connection: sqlite3.Connection, insert: str, frame: pl.DataFrame) -> None:
    refuse_large(frame, TITLE, 2**63 - 1)
    cells = frame.select(_plain(pl.col(name), dtype) for name, dtype in frame.schema.items())
    connection.executemany(insert, cells.iter_rows())


def _plain(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if dtype == pl.Boolean:
        return column.cast(pl.Int8)
    if dtype == pl.Duration:
        return column.dt.total_microseconds()
    if dtype == pl.Time:
        return column.dt.strftime("%H:%M:%S%.9f")
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
    """Show SQLite's messages, which mention names and syntax, not cells; hide constraints."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise FileError(
            "{shown}: a rule of the database refuses the rows.", shown=address.shown
        ) from None
    except UnicodeDecodeError:  # names are decoded by the driver itself
        raise FileError(
            "{shown}: a name in it is not UTF-8: it is damaged.", shown=address.shown
        ) from None
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise FileError(
                "{shown}: another program is writing to the database, and kept it locked for "
                "{seconds} seconds. Wait until it has finished or close it there, and run again.",
                shown=address.shown,
                seconds=PATIENCE,
            ) from None
        raise FileError(
            "{shown}: SQLite says: {error}.", shown=address.shown, error=error
        ) from None
