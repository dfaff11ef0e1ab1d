"""Address: which database, and which table or query in it. A password is never shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from microveil.errors import FileError, did_you_mean, quoted

SCHEMES = {"sqlite": "sqlite", "duckdb": "duckdb", "postgresql": "postgresql"}
SCHEMES["postgres"] = "postgresql"
_READS = re.compile(
    r"(?:\s|--[^\n]*\n|/\*.*?\*/|\()*(select|with|values|table)\b", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True)
class Address:
    """A database with the table or the query that is meant."""

    engine: str
    database: str = field(repr=False)
    """Path of the file, or the URL that PostgreSQL understands."""
    shown: str = ""
    """The address as messages may name it."""
    table: str | None = None
    query: str | None = None

    @classmethod
    def of(cls, source: str | Path, table: str | None, query: str | None, engine: str) -> Address:
        """Read a URL such as ``sqlite:///people.db?table=t``, or the path of a database file.

        >>> Address.of("postgresql://ann:secret@host/db?table=s.t", None, None, "").shown
        'postgresql://host/db'
        """
        text = str(source)
        if not is_url(text):
            return _checked(cls(engine, text, text, table, query))
        parts = urlsplit(text)
        said = dict(parse_qsl(parts.query))
        table, query = said.pop("table", table), said.pop("query", query)
        scheme = SCHEMES[parts.scheme]
        shown = f"{parts.scheme}://{_host(parts.netloc)}{parts.path}"
        if scheme == "postgresql":
            rest = urlencode(said, quote_via=quote)
            database = urlunsplit(("postgresql", parts.netloc, parts.path, rest, ""))
        else:
            database = unquote(parts.path.removeprefix("/"))
        return _checked(cls(scheme, database, shown, table, query))

    def chosen_table(self, tables: list[str]) -> str:
        """The table that is meant: the named one, which must be there, or the only one."""
        if self.table is None:
            if len(tables) == 1:
                return tables[0]
            there = f"Tables: {quoted(tables)}." if tables else "It holds no table."
            raise FileError(f"Say which table of {self.shown} is meant (table=…). {there}")
        if self.table not in tables:
            hint = did_you_mean(self.table, tables)
            there = f" Tables: {quoted(tables)}." if tables else " It holds no table."
            raise FileError(f"No table '{self.table}' in {self.shown}.{hint}{there}")
        return self.table

    def target(self) -> str:
        """The table to write, which must be named."""
        if self.table is None or self.query is not None:
            msg = f"Say which table of {self.shown} to write: table='…', or ?table=… in its URL."
            raise FileError(msg)
        return self.table


def is_url(text: str) -> bool:
    """Whether a text is a database's URL rather than a path."""
    scheme, mark, _ = text.partition("://")
    if mark and scheme not in SCHEMES:
        hint = did_you_mean(scheme, SCHEMES)
        raise FileError(f"Unknown kind of address '{scheme}://'.{hint} Known: {quoted(SCHEMES)}.")
    return bool(mark)


def engine_of(url: str) -> str:
    """The engine that a URL's scheme names."""
    return SCHEMES[url.partition("://")[0]]


def without_password(text: str) -> str:
    """A path as it is, a URL without user and password."""
    if "://" not in text:
        return text
    parts = urlsplit(text)
    return f"{parts.scheme}://{_host(parts.netloc)}{parts.path}"


def quoted_name(name: str) -> str:
    """A table's or column's name as an SQL identifier.

    >>> quoted_name('a"; drop table t')
    '"a""; drop table t"'
    """
    if "\0" in name:
        raise FileError("A name in a database cannot hold a zero character.")
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _host(netloc: str) -> str:
    return netloc.rpartition("@")[2]


def _checked(address: Address) -> Address:
    if address.table is not None and address.query is not None:
        raise FileError(f"{address.shown}: say a table or a query, not both.")
    if address.query is not None and not _READS.match(address.query):
        raise FileError(
            f"{address.shown}: the query must only read: begin it with SELECT, WITH or VALUES."
        )
    return address
