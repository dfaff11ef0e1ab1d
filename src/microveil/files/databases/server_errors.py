"""What a PostgreSQL server refuses, in a sentence without cells and passwords."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from microveil.errors import FileError
from microveil.files.databases.address import Address
from microveil.texts import phrase

_SPOKEN = (
    *("42501", "42P01", "42703", "42P07", "42704", "42883", "3F000", "3D000", "42702"),
    *("42701", "42809"),
)
"""Refusals whose message names tables, columns, schemas and users, and never a cell: a missing
privilege, table, column, schema or database, a name that is taken or means two things, something
that is no table."""
_SENTENCES = {
    "2BP01": phrase(
        "other objects, such as views, depend on the table; drop them first, or append to it"
    ),
    "25P03": phrase(
        "the server ended the transaction because it stood idle; raise its idle time-out"
    ),
    "25006": phrase("the server or the user's transactions are read-only"),
    "40P01": phrase("another transaction holds the tables (a deadlock); run again"),
    "42601": phrase("the query is not valid SQL"),
    "53100": phrase("the server's disk is full"),
    "53200": phrase("the server is out of memory"),
    "53300": phrase("the server has no connection left"),
    "54011": phrase("the table has more columns than the server allows"),
    "55P03": phrase("another transaction holds the table; run again later"),
    "57014": phrase("the server cancelled the statement, because of a time-out or on request"),
    "57P01": phrase("the server is shutting down"),
    "57P03": phrase("the server is starting or shutting down"),
}
_CLASSES = {
    "22": phrase("a cell has no counterpart in its column's type"),
    "23": phrase("a rule of the table refuses the rows"),
    "28": phrase("the server does not admit this user, or not with this password"),
    "53": phrase("the server is out of resources"),
    "57": phrase("the server ended the connection"),
    "58": phrase("the server met an error of its own system"),
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
        raise FileError("{shown}: {reason}.", shown=address.shown, reason=_reason(error)) from None


def _unreachable(address: Address, error: Any) -> str:
    import psycopg

    if isinstance(error, psycopg.OperationalError):
        return phrase(
            "{shown} cannot be reached. Check host, port, database, user and password, "
            "and that the server runs.",
            shown=address.shown,
        )
    return phrase(
        "{shown}: the connection cannot be used ({kind}).",
        shown=address.shown,
        kind=type(error).__name__,
    )


def _reason(error: Any) -> str:
    """What is wrong, as far as it can be told without quoting a cell."""
    state = str(error.sqlstate)
    if state in _SPOKEN and error.diag.message_primary:
        return phrase("PostgreSQL says: {told}", told=str(error.diag.message_primary).rstrip("."))
    told = _SENTENCES.get(state) or _CLASSES.get(state[:2])
    about = error.diag.constraint_name or error.diag.column_name or error.diag.table_name
    where = f" ({about})" if about else ""
    return (
        f"{told}{where}"
        if told
        else phrase("PostgreSQL refuses with {kind}{where}", kind=type(error).__name__, where=where)
    )
