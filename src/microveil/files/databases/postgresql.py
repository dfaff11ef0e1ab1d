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
from microveil.files.columns.column_types import KINDS
from microveil.files.databases.address import Address, quoted_name
from microveil.files.databases.server_errors import server_errors
from microveil.files.databases.server_keepsakes import Keepsakes
from microveil.files.databases.server_names import (
    ServerTable,
    check_column_names,
    found_table,
    numbers_read,
    server_key,
    table_to_write,
)
from microveil.files.databases.target import check_columns, fate_of, scratch_name, settle
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import in_microseconds, plain
from microveil.files.sources import choose_columns, distinct, refuse, refuse_characters

TITLE = "PostgreSQL"
_KINDS = {kind.name: kind for kind in KINDS}
_TABLES = (
    "SELECT n.nspname, c.relname, n.nspname IS NOT DISTINCT FROM current_schema() "
    "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND c.relpersistence <> 't' "
    "AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') "
    "AND (NOT %(readable)s OR has_table_privilege(c.oid, 'SELECT') "
    "OR has_any_column_privilege(c.oid, 'SELECT')) ORDER BY 1, 2"
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
    with server_errors(address), closing(_connect(address)) as connection:
        connection.read_only = True
        query = address.query or f"SELECT * FROM {_table_to_read(connection, address).sql}"  # noqa: S608 - the name is quoted
        return _answer(connection, query.strip().rstrip(";"), options.get("columns"), address)


def _answer(
    connection: Any, query: str, asked: Sequence[str] | None, address: Address
) -> pl.DataFrame:
    columns = connection.execute(f"SELECT * FROM ({query}) AS answer LIMIT 0").description  # noqa: S608 - the query is the caller's, or ours
    names = distinct([column.name for column in columns], address.shown)
    wanted = choose_columns(names, asked, address.shown)
    by_name = {column.name: column for column in columns}
    texts = _copy_out(connection, query, [by_name[name] for name in wanted])
    return pl.DataFrame([_values(texts, by_name[name], address) for name in wanted])


def _connect(address: Address) -> Any:
    import psycopg
    from psycopg import conninfo

    asked = str(conninfo.conninfo_to_dict(address.database).get("options") or "")
    options = f"{asked} {_SETTINGS}".strip()
    return psycopg.connect(address.database, options=options, client_encoding="utf8")


def _table_to_read(connection: Any, address: Address) -> ServerTable:
    """The table that is read: the named one, in the current schema before the usual one."""
    wanted = address.table
    # A named table that may not be read is there: the server says what is missing.
    tables = _tables(connection, readable=wanted is None)
    if wanted is not None and wanted not in tables:
        schema, _, bare = wanted.rpartition(".")
        usual = f"public.{wanted}" if not schema else bare
        here = connection.execute("SELECT current_schema()").fetchone()[0]
        if usual in tables and schema in ("", here):
            return found_table(connection, address, *tables[usual])
    return found_table(connection, address, *tables[address.chosen_table(list(tables))])


def _copy_out(connection: Any, query: str, columns: list[Any]) -> pl.DataFrame:
    """The cells of the result as text; a random marker stands for missing."""
    missing = secrets.token_hex(16)
    picked = ", ".join(_select_item(column) for column in columns)
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


def _select_item(column: Any) -> str:
    name = quoted_name(column.name)
    if column.type_code == _INTERVAL:
        return f"trunc(EXTRACT(EPOCH FROM {name}) * 1000000) AS {name}"
    return name


def _values(texts: pl.DataFrame, column: Any, address: Address) -> pl.Series:
    """A column's cells; one that has no counterpart is an error that names the column."""
    cells = texts[column.name]
    try:
        found = texts.select(_value(column).alias(column.name)).to_series()
    except pl.exceptions.PolarsError:
        found = None
    if found is None or found.null_count() > cells.null_count() or _is_too_large(found, cells):
        raise FileError(
            "{shown}: column '{name}' holds values that have no counterpart here, such as "
            "infinite dates, years before 1 or too many digits. Leave it out, or turn it "
            "into text with a query.",
            shown=address.shown,
            name=column.name,
        )
    return found


def _is_too_large(found: pl.Series, cells: pl.Series) -> bool:
    """Whether a number became infinite that was not."""
    if not found.dtype.is_float():
        return False
    return bool((found.is_infinite() & ~cells.str.contains("Infinity", literal=True)).any())


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
    with server_errors(address), closing(_connect(address)) as connection:
        return list(_tables(connection, readable=True))


def exists(address: Address) -> bool:
    """Whether the server has a table where one is to be written, by the name it would use."""
    with server_errors(address), closing(_connect(address)) as connection:
        return table_to_write(connection, address).number is not None


def keys_of(address: Address) -> frozenset[str]:
    """What identifies the tables that a name means to the server, to read and to write."""
    with server_errors(address), closing(_connect(address)) as connection:
        connection.read_only = True
        tables = [_table_to_read(connection, address)] if _is_there(connection, address) else []
        if address.table is not None:
            tables.append(table_to_write(connection, address))
        there = [one for one in tables if one.number is not None]
        queries = [address.query] if address.query else [f"TABLE {one.sql}" for one in there]
        found = {one.number for one in there}.union(
            *(numbers_read(connection, query.strip().rstrip(";")) for query in queries)
        )
        server = server_key(connection)
    return frozenset(f"{server}/{number}" for number in found)


def _is_there(connection: Any, address: Address) -> bool:
    if address.query is not None:
        return False
    try:
        _table_to_read(connection, address)
    except FileError:
        return False
    return True


def _tables(connection: Any, *, readable: bool) -> dict[str, tuple[str, str]]:
    """Schema and name of each table, by the name it is shown under."""
    return {
        name if here else f"{schema}.{name}": (schema, name)
        for schema, name, here in connection.execute(_TABLES, {"readable": readable}).fetchall()
    }


@dataclass
class _Transaction:
    """One transaction for all tables written to a database."""

    address: Address
    connection: Any

    @classmethod
    def begin(cls, address: Address) -> _Transaction:
        with server_errors(address):
            return cls(address, _connect(address))

    def commit(self) -> None:
        with server_errors(self.address):
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
    session = placing.server_session(address.database, lambda: _Transaction.begin(address))
    connection = session.connection
    with server_errors(address), connection.cursor() as cursor:
        table = table_to_write(connection, address)
        check_column_names(connection, address, schema.names())
        fate = fate_of(address, options, exists=table.number is not None)
        if fate == "append":
            there = connection.execute(f"SELECT * FROM {table.sql} LIMIT 0").description  # noqa: S608 - the name is quoted
            check_columns(address, [column.name for column in there], schema.names())
        kept = Keepsakes.of(connection, address, table) if fate == "replace" else None
        scratch = f"{quoted_name(table.schema)}.{scratch_name()}"
        declared = ", ".join(f"{quoted_name(n)} {_sql_type(t)}" for n, t in schema.items())
        cursor.execute(f"CREATE TABLE {scratch} ({declared})")
        yield Sink(
            lambda frame: _insert(cursor, scratch, frame),
            lambda: iter([_answer(connection, f"SELECT * FROM {scratch}", None, address)]),  # noqa: S608 - our own name
            [] if kept is None else kept.notes,
        )
        settle(cursor.execute, fate, scratch, table.sql, schema.names())
        if kept is not None:
            kept.give(connection, table, schema.names())


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as PostgreSQL holds it: categories as text, times to the microsecond."""
    told = plain(frame, {})
    return told.select(_store_column(told[name]) for name in told.columns)


def _store_column(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Time:
        return (column.to_physical() // 1000 * 1000).cast(pl.Time)
    column = in_microseconds(column)
    zone = getattr(column.dtype, "time_zone", None)
    return column.dt.convert_time_zone("UTC") if zone else column


def _insert(cursor: Any, scratch: str, frame: pl.DataFrame) -> None:
    refuse_characters(frame, TITLE)
    _refuse_far(frame)
    missing = secrets.token_hex(16)
    rows = frame.select(
        _as_interval(name) if dtype == pl.Duration else pl.col(name)
        for name, dtype in frame.schema.items()
    ).write_csv(include_header=False, null_value=missing, quote_style="necessary")
    statement = f"COPY {scratch} FROM STDIN (FORMAT csv, NULL '{missing}')"
    with cursor.copy(statement) as copy:
        copy.write(rows)


def _as_interval(name: str) -> pl.Expr:
    """A duration in one unit, which may be negative; ISO's -P3D is not understood."""
    return pl.format("{} microseconds", pl.col(name).dt.total_microseconds())


def _refuse_far(frame: pl.DataFrame) -> None:
    """Raise an error for dates that are written with more than a year of four digits."""
    for name, dtype in frame.schema.items():
        if dtype not in (pl.Date, pl.Datetime):
            continue
        n_cells = int((~frame[name].dt.year().is_between(1, 9_999)).sum() or 0)
        if n_cells:
            raise FileError(
                "{title} cannot hold the {n_cells} dates before the year 1 or after 9999 in column "
                "'{name}'. Write them as text, or write Parquet instead.",
                title=TITLE,
                n_cells=n_cells,
                name=name,
            )


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
