"""Names as a PostgreSQL server uses them: cut at its limit, in its schema, by its own numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from microveil.errors import FileError
from microveil.files.databases.address import Address, quoted_name
from microveil.files.databases.target import split_name

_RELATION = (
    "SELECT c.oid, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = %s AND c.relname = %s"
)
_NUMBERS = (
    "SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "JOIN unnest(%s::text[], %s::text[]) AS named (schema, name) "
    "ON n.nspname = named.schema AND c.relname = named.name"
)
_SERVER = (
    "SELECT (SELECT system_identifier FROM pg_control_system())::text, "
    "(SELECT oid FROM pg_database WHERE datname = current_database())::text"
)
_TABLE_KINDS = ("r", "p", "f", "v", "m")
"""Tables, partitioned and foreign ones, and views: what rows can be read from."""


@dataclass(frozen=True)
class ServerTable:
    """The table that a server means by a name."""

    schema: str
    name: str
    number: int | None
    """The server's own number of the table; None if there is no such table."""

    @property
    def sql(self) -> str:
        """The name for a statement."""
        return f"{quoted_name(self.schema)}.{quoted_name(self.name)}"


def table_to_write(connection: Any, address: Address) -> ServerTable:
    """The table that would be written, exactly as the server would name it."""
    schema, name = split_name(address, address.target())
    if schema is None:
        schema = connection.execute("SELECT current_schema()").fetchone()[0]
    if schema is None:
        raise FileError(
            "{shown}: the user may use no schema of its search path. Name the table as "
            "SCHEMA.TABLE, or let the user use a schema.",
            shown=address.shown,
        )
    longest = _longest(connection)
    if any(_n_bytes(part) > longest for part in (schema, name)):
        raise FileError(
            "{shown}: the name of table '{target}' is longer than the {longest} bytes that "
            "PostgreSQL keeps; it would be cut, and could be another table's. Shorten it.",
            shown=address.shown,
            target=address.target(),
            longest=longest,
        )
    return found_table(connection, address, schema, name)


def found_table(connection: Any, address: Address, schema: str, name: str) -> ServerTable:
    """The table of a schema, with the server's number if it exists."""
    found = connection.execute(_RELATION, (schema, name)).fetchone()
    if found is not None and found[1] not in _TABLE_KINDS:
        raise FileError(
            "{shown}: '{name}' is already the name of something that is no table, such as an "
            "index or a sequence. Name another table.",
            shown=address.shown,
            name=name,
        )
    return ServerTable(schema, name, None if found is None else int(found[0]))


def check_column_names(connection: Any, address: Address, names: list[str]) -> None:
    """Raise an error for column names that the server would cut."""
    longest = _longest(connection)
    long = [name for name in names if _n_bytes(name) > longest]
    if long:
        raise FileError(
            "{shown}: PostgreSQL keeps {longest} bytes of a column's name, and {long:quoted} "
            "would be cut. Shorten it.",
            shown=address.shown,
            longest=longest,
            long=long,
        )


def numbers_read(connection: Any, query: str) -> set[int]:
    """The server's numbers of the tables that a query reads, as it plans to.

    That follows views, partitions, inheritance and every spelling of a name. A table that may not
    be read is not followed, nor what a function does in a language of its own.
    """
    import psycopg

    try:
        with connection.transaction():
            statement = f"EXPLAIN (VERBOSE, FORMAT JSON) SELECT * FROM ({query}) AS answer"  # noqa: S608 - planned, not run
            plan = connection.execute(statement).fetchone()[0]
    except psycopg.errors.InsufficientPrivilege:
        return set()
    named = sorted(set(_relations(plan)))
    schemas, names = [one[0] for one in named], [one[1] for one in named]
    return {int(row[0]) for row in connection.execute(_NUMBERS, (schemas, names)).fetchall()}


def _relations(plan: Any) -> Iterator[tuple[str, str]]:
    """Schema and name of every table in a plan."""
    if isinstance(plan, dict):
        if "Relation Name" in plan:
            yield plan["Schema"], plan["Relation Name"]
        plan = list(plan.values())
    if isinstance(plan, list):
        for part in plan:
            yield from _relations(part)


def server_key(connection: Any) -> str:
    """What tells one database of one server from all others, however it is addressed."""
    return "/".join(connection.execute(_SERVER).fetchone())


def _longest(connection: Any) -> int:
    return int(connection.execute("SHOW max_identifier_length").fetchone()[0])


def _n_bytes(name: str) -> int:
    return len(name.encode())
