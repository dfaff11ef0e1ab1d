"""PostgreSQL, by COPY: rows are transferred as CSV in blocks."""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError
from microveil.files.column_types import KINDS
from microveil.files.databases.address import Address, quoted_name
from microveil.files.databases.target import check_columns, fate_of, scratch_name, settle
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import in_microseconds, plain
from microveil.files.sources import chosen, distinct, refuse

TITLE = "PostgreSQL"
_KINDS = {kind.name: kind for kind in KINDS}
_TABLES = (
    "SELECT CASE WHEN table_schema = current_schema() THEN table_name "
    "ELSE table_schema || '.' || table_name END FROM information_schema.tables "
    "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"
)
_SETTINGS = "-c datestyle=ISO,YMD -c timezone=UTC -c intervalstyle=iso_8601 -c extra_float_digits=1"
# PostgreSQL's numbers for its built-in types; types not listed stay text.
_NUMERIC, _INTERVAL = 1700, 1186
_VALUES: dict[int, Callable[[pl.Expr], pl.Expr]] = {
    16: lambda text: text == "t",
    20: lambda text: text.cast(pl.Int64),
    21: lambda text: text.cast(pl.Int64),
    23: lambda text: text.cast(pl.Int64),
    26: lambda text: text.cast(pl.Int64),
    700: lambda text: text.cast(pl.Float64),
    701: lambda text: text.cast(pl.Float64),
    1082: lambda text: text.str.to_date("%Y-%m-%d"),
    1083: lambda text: text.str.to_time("%H:%M:%S%.f"),
    1114: _KINDS["datetime"].value,
    1184: _KINDS["instant"].value,
    _INTERVAL: lambda text: text.cast(pl.Int64).cast(pl.Duration("us")),
}


def load(source: str | Path, options: ReadOptions) -> pl.DataFrame:
    """A table or a query result, in a read-only transaction."""
    address = Address.of(source, options.get("table"), options.get("query"), "postgresql")
    with _errors(address), closing(_connected(address)) as connection:
        connection.read_only = True
        query = address.query or f"SELECT * FROM {_table_name(connection, address)}"  # noqa: S608 - the name is quoted
        return _answer(connection, query.strip().rstrip(";"), options.get("columns"), address)


def _answer(
    connection: Any, query: str, asked: Sequence[str] | None, address: Address
) -> pl.DataFrame:
    columns = connection.execute(f"SELECT * FROM ({query}) AS answer LIMIT 0").description  # noqa: S608 - the query is the caller's, or ours
    names = distinct([column.name for column in columns], address.shown)
    wanted = chosen(names, asked, address.shown)
    by_name = {column.name: column for column in columns}
    texts = _copied(connection, query, [by_name[name] for name in wanted])
    return texts.select(_value(by_name[name]).alias(name) for name in wanted)


def _connected(address: Address) -> Any:
    import psycopg

    return psycopg.connect(address.database, options=_SETTINGS, client_encoding="utf8")


def _table_name(connection: Any, address: Address) -> str:
    tables = _tables(connection)
    name = address.table
    if name is not None and name not in tables and f"public.{name}" in tables:
        return f'"public".{quoted_name(name)}'
    if name is not None and name.startswith("public.") and name.removeprefix("public.") in tables:
        return f'"public".{quoted_name(name.removeprefix("public."))}'
    return ".".join(quoted_name(part) for part in address.chosen_table(tables).split("."))


def _copied(connection: Any, query: str, columns: list[Any]) -> pl.DataFrame:
    """The cells of the result as text; a random marker stands for missing."""
    missing = secrets.token_hex(16)
    picked = ", ".join(_picked(column) for column in columns)
    statement = (
        f"COPY (SELECT {picked} FROM ({query}) AS answer) TO STDOUT (FORMAT csv, NULL '{missing}')"  # noqa: S608 - names are quoted
    )
    rows = io.BytesIO()
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for block in copy:
            rows.write(block)
    return pl.read_csv(
        rows.getvalue(),
        has_header=False,
        schema={column.name: pl.String for column in columns},
        null_values=missing,
        empty_string_is_null=False,
        raise_if_empty=False,
    )


def _picked(column: Any) -> str:
    name = quoted_name(column.name)
    if column.type_code == _INTERVAL:
        return f"(EXTRACT(EPOCH FROM {name}) * 1000000)::bigint AS {name}"
    return name


def _value(column: Any) -> pl.Expr:
    """A column's text as values of its type."""
    text = pl.col(column.name)
    if column.type_code == _NUMERIC:
        return text.cast(_numeric_type(column))
    read = _VALUES.get(column.type_code)
    return read(text) if read else text


def _numeric_type(column: Any) -> pl.DataType | type[pl.DataType]:
    """Exact if the column declares its digits, otherwise floating point."""
    if column.precision and column.precision <= 38:  # noqa: PLR2004 - the most digits Polars holds
        return pl.Decimal(column.precision, column.scale or 0)
    return pl.Float64


def tables_of(address: Address) -> list[str]:
    """Names of the tables, those of other schemas prefixed by the schema and a dot."""
    with _errors(address), closing(_connected(address)) as connection:
        return [*_tables(connection), *_public(connection)]


def _tables(connection: Any) -> list[str]:
    return [name for (name,) in connection.execute(_TABLES).fetchall()]


def _public(connection: Any) -> list[str]:
    """Tables of the usual schema, by both of their names."""
    return [f"public.{name}" for name in _tables(connection) if "." not in name]


@dataclass
class _Session:
    """One transaction for all tables written to a database."""

    address: Address
    connection: Any

    @classmethod
    def opened(cls, address: Address) -> _Session:
        with _errors(address):
            return cls(address, _connected(address))

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
    address = Address.of(source, options.get("table"), None, "postgresql")
    *outer, table = address.target().split(".")
    place = "".join(f"{quoted_name(part)}." for part in outer)
    target, scratch = f"{place}{quoted_name(table)}", f"{place}{scratch_name()}"
    declared = ", ".join(f"{quoted_name(n)} {_sql_type(t)}" for n, t in schema.items())
    session = placing.server_session(address.database, lambda: _Session.opened(address))
    connection = session.connection
    with _errors(address), connection.cursor() as cursor:
        fate = fate_of(address, [*_tables(connection), *_public(connection)], options, by_case=True)
        if fate == "append":
            there = connection.execute(f"SELECT * FROM {target} LIMIT 0").description  # noqa: S608 - the name is quoted
            check_columns(address, [column.name for column in there], schema.names())
        cursor.execute(f"CREATE TABLE {scratch} ({declared})")
        yield Sink(
            lambda frame: _insert(cursor, scratch, frame),
            lambda: iter([_answer(connection, f"SELECT * FROM {scratch}", None, address)]),  # noqa: S608 - our own name
        )
        settle(cursor.execute, fate, scratch, target, schema.names())


def stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as PostgreSQL holds it: categories as text, times to the microsecond."""
    told = plain(frame, {})
    return told.select(_stored(told[name]) for name in told.columns)


def _stored(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Time:
        return (column.to_physical() // 1000 * 1000).cast(pl.Time)
    column = in_microseconds(column)
    zone = getattr(column.dtype, "time_zone", None)
    return column.dt.convert_time_zone("UTC") if zone else column


def _insert(cursor: Any, scratch: str, frame: pl.DataFrame) -> None:
    missing = secrets.token_hex(16)
    rows = frame.select(
        pl.col(name).dt.to_string("iso") if dtype == pl.Duration else pl.col(name)
        for name, dtype in frame.schema.items()
    ).write_csv(include_header=False, null_value=missing, quote_style="necessary")
    statement = f"COPY {scratch} FROM STDIN (FORMAT csv, NULL '{missing}')"
    with cursor.copy(statement) as copy:
        copy.write(rows)


def _sql_type(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.Decimal):
        return f"NUMERIC({dtype.precision},{dtype.scale})"
    if dtype == pl.Datetime:
        return "TIMESTAMPTZ" if getattr(dtype, "time_zone", None) else "TIMESTAMP"
    if dtype in (pl.UInt64, pl.Int128):
        return "NUMERIC(38,0)"
    if dtype.is_integer():
        return "BIGINT"
    words = {
        pl.Boolean: "BOOLEAN",
        pl.Date: "DATE",
        pl.Time: "TIME",
        pl.Duration: "INTERVAL",
        pl.Float32: "REAL",
        pl.Float64: "DOUBLE PRECISION",
    }
    return words.get(dtype.base_type(), "TEXT")


@contextmanager
def _errors(address: Address) -> Iterator[None]:
    """Report the kind of failure; PostgreSQL's full messages may quote cells or passwords."""
    import psycopg

    try:
        yield
    except psycopg.OperationalError as error:
        if error.sqlstate is None:
            msg = (
                f"{address.shown} cannot be reached. Check host, port, database, user and "
                "password, and that the server runs."
            )
        else:
            msg = f"{address.shown}: PostgreSQL refuses with {_name(error)}."
        raise FileError(msg) from None
    except psycopg.Error as error:
        raise FileError(f"{address.shown}: PostgreSQL refuses with {_name(error)}.") from None
    except pl.exceptions.PolarsError:
        msg = f"{address.shown}: a column holds values that have no counterpart here."
        raise FileError(msg) from None


def _name(error: Any) -> str:
    """Kind of the error, and the object it is about if PostgreSQL names one."""
    about = error.diag.table_name or error.diag.column_name
    return f"{type(error).__name__} ({about})" if about else type(error).__name__
