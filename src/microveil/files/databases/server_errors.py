"""What a PostgreSQL server refuses, in a sentence without cells and passwords."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from microveil.errors import FileError
from microveil.files.databases.address import Address

_SPOKEN = ("42501", "42P01", "42703", "42P07", "42704", "42883", "3F000", "3D000", "42702")
"""Refusals whose message names tables, columns, schemas and users, and never a cell: a missing
privilege, table, column, schema or database, a name that is taken or means two things."""
_SENTENCES = {
    "2BP01": "other objects, such as views, depend on the table; drop them first, or append to it",
    "25P03": "the server ended the transaction because it stood idle; raise its idle time-out",
    "25006": "the server or the user's transactions are read-only",
    "40P01": "another transaction holds the tables (a deadlock); run again",
    "42601": "the query is not valid SQL",
    "53100": "the server's disk is full",
    "53200": "the server is out of memory",
    "53300": "the server has no connection left",
    "54011": "the table has more columns than the server allows",
    "55P03": "another transaction holds the table; run again later",
    "57014": "the server cancelled the statement, because of a time-out or on request",
    "57P01": "the server is shutting down",
    "57P03": "the server is starting or shutting down",
}
_CLASSES = {
    "22": "a cell has no counterpart in its column's type",
    "23": "a rule of the table refuses the rows",
    "28": "the server does not admit this user, or not with this password",
    "53": "the server is out of resources",
    "57": "the server ended the connection",
    "58": "the server met an error of its own system",
}


@contextmanager
def server_errors(address: Address) -> Iterator[None]:
    """Say what a server refuses; PostgreSQL's other messages may quote cells or passwords."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        if error.sqlstate is None:
            raise FileError(_unreachable(address, error)) from None
        raise FileError(f"{address.shown}: {_reason(error)}.") from None


def _unreachable(address: Address, error: Any) -> str:
    import psycopg

    if isinstance(error, psycopg.OperationalError):
        return (
            f"{address.shown} cannot be reached. Check host, port, database, user and password, "
            "and that the server runs."
        )
    return f"{address.shown}: the connection cannot be used ({type(error).__name__})."


def _reason(error: Any) -> str:
    """What is wrong, as far as it can be told without quoting a cell."""
    state = str(error.sqlstate)
    if state in _SPOKEN and error.diag.message_primary:
        return f"PostgreSQL says: {str(error.diag.message_primary).rstrip('.')}"
    told = _SENTENCES.get(state) or _CLASSES.get(state[:2])
    about = error.diag.constraint_name or error.diag.column_name or error.diag.table_name
    where = f" ({about})" if about else ""
    return f"{told}{where}" if told else f"PostgreSQL refuses with {type(error).__name__}{where}"
