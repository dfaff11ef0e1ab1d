"""Address: a database, and a table or query in it. A password is never shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode

from microveil.errors import FileError, did_you_mean
from microveil.texts import phrase

SCHEMES = {"sqlite": "sqlite", "duckdb": "duckdb", "postgresql": "postgresql"}
SCHEMES["postgres"] = "postgresql"
_READS = re.compile(
    r"(?:\s|--[^\n]*\n|/\*.*?\*/|\()*(select|with|values|table)\b", re.IGNORECASE | re.DOTALL
)


_SETTINGS = re.compile(r"\?(?=[A-Za-z_]\w*=)")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):/")


@dataclass(frozen=True)
class Address:
    """A database with the table or the query to use."""

    engine: str
    database: str = field(repr=False)
    """Path of the file, or the URL that PostgreSQL understands."""
    shown: str = ""
    """The address as messages may show it."""
    table: str | None = None
    query: str | None = None
    server: str = ""
    """Host, port and database of a server; empty for a file."""

    @property
    def on_server(self) -> bool:
        """Whether the database is on a server rather than in a file."""
        return bool(self.server)

    @classmethod
    def of(cls, source: str | Path, table: str | None, query: str | None, engine: str) -> Address:
        """Read a URL such as ``sqlite:///people.db?table=t``, or the path of a database file.

        >>> Address.of("postgresql://ann:secret@host/db?table=s.t", None, None, "").shown
        'postgresql://host/db'
        """
        text = str(source)
        if not is_url(text):
            return _check(cls(engine, text, text, table, query))
        parts = _Parts.of(text)
        said = dict(parse_qsl(parts.settings))
        table, query = said.pop("table", table), said.pop("query", query)
        if SCHEMES[parts.scheme] != "postgresql":
            database = unquote(parts.place.removeprefix("/"))
            return _check(cls(SCHEMES[parts.scheme], database, parts.shown, table, query))
        rest = urlencode(said, quote_via=quote)
        database = f"postgresql://{parts.user}{parts.place}{f'?{rest}' if rest else ''}"
        server = _server(parts.place)
        return _check(cls("postgresql", database, parts.shown, table, query, server))

    def chosen_table(self, tables: list[str]) -> str:
        """The table to read: the named one, which must exist, or the only one."""
        if self.table is None:
            if len(tables) == 1:
                return tables[0]
            there = (
                phrase("Tables: {tables:quoted}.", tables=tables)
                if tables
                else phrase("It holds no table.")
            )
            raise FileError(
                "Name a table of {shown} (table=…). {there}", shown=self.shown, there=there
            )
        if self.table not in tables:
            hint = did_you_mean(self.table, tables)
            there = (
                phrase(" Tables: {tables:quoted}.", tables=tables)
                if tables
                else phrase(" It holds no table.")
            )
            raise FileError(
                "No table '{table}' in {shown}.{hint}{there}",
                table=self.table,
                shown=self.shown,
                hint=hint,
                there=there,
            )
        return self.table

    def target(self) -> str:
        """The table to write, which must be named."""
        if self.table is None or self.query is not None:
            raise FileError(
                "Name the table of {shown} to write: table='…', or ?table=… in its URL.",
                shown=self.shown,
            )
        return self.table


def is_url(text: str) -> bool:
    """Whether a text is a database's URL rather than a path."""
    scheme, mark, _ = text.partition("://")
    if mark and scheme not in SCHEMES:
        hint = did_you_mean(scheme, SCHEMES)
        raise FileError(
            "Unknown kind of address '{scheme}://'.{hint} Known: {schemes:quoted}.",
            scheme=scheme,
            hint=hint,
            schemes=SCHEMES,
        )
    meant = text.partition(":")[0]
    if not mark and meant in SCHEMES and ":" in text:
        raise FileError(
            "A database address starts with '{meant}://', with two slashes.", meant=meant
        )
    return bool(mark)


def engine_of(url: str) -> str:
    """The engine that a URL's scheme names."""
    return SCHEMES[url.partition("://")[0]]


def without_password(text: str) -> str:
    """A path unchanged, anything that looks like a URL without user, password and settings."""
    return _Parts.of(text).shown if _SCHEME.match(text) else text


@dataclass(frozen=True)
class _Parts:
    """The parts of a URL, split by hand: a password may hold any character, even separators."""

    scheme: str
    user: str = field(repr=False)
    """User and password with the character that ends them, escaped for a URL."""
    place: str
    settings: str = field(repr=False)

    @classmethod
    def of(cls, text: str) -> _Parts:
        scheme, _, rest = text.partition(":")
        rest = rest.removeprefix("//") if rest.startswith("//") else rest.lstrip("/")
        settings = _SETTINGS.search(rest, _end_of_user(rest))
        head, tail = (rest, "") if settings is None else (rest[: settings.start()], settings.string)
        if SCHEMES.get(scheme) in ("sqlite", "duckdb"):
            return cls(scheme, "", head, tail[len(head) + 1 :])
        user, mark, place = head.rpartition("@")
        name, colon, password = user.partition(":")
        told = f"{_escape(name)}{colon}{_escape(password)}{mark}"
        return cls(scheme, told, place, tail[len(head) + 1 :])

    @property
    def shown(self) -> str:
        if not self.user and "@" in self.settings:
            return f"{self.scheme}://…"  # what stands before may be a password after all
        return f"{self.scheme}://{self.place}"


def _end_of_user(rest: str) -> int:
    """Where settings may start: behind a password that looks as if it started them itself.

    >>> _end_of_user("ann:pw?x=1@host/db?table=t"), _end_of_user("host:5432/db?query=a@b")
    (11, 0)
    """
    found = re.match(r"[^/?@:]*:(?!\d*(?:[/?]|$))[^@]*@", rest)
    return found.end() if found else 0


def _server(place: str) -> str:
    """Host, port and database in one spelling, so that two addresses can be compared.

    >>> _server("127.0.0.1/people") == _server("LOCALHOST:5432/people")
    True
    """
    host, _, database = place.partition("/")
    name, port = host.casefold(), "5432"
    found = re.fullmatch(r"(.*?):(\d+)", name)
    if found is not None:
        name, port = found[1], found[2]
    if name in ("", "127.0.0.1", "[::1]"):
        name = "localhost"
    return f"{name}:{port}/{database}"


def _escape(text: str) -> str:
    return quote(unquote(text), safe="")


def without_table(text: str) -> str:
    """A path as it is, a URL without the table it names."""
    head, mark, query = text.partition("?")
    if not is_url(text) or not mark:
        return text
    rest = [pair for pair in query.split("&") if not pair.startswith("table=")]
    return f"{head}?{'&'.join(rest)}" if rest else head


def quoted_name(name: str) -> str:
    """A table's or column's name as an SQL identifier.

    >>> quoted_name('a"; drop table t')
    '"a""; drop table t"'
    """
    if "\0" in name:
        raise FileError("A name in a database cannot hold a zero character.")
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _check(address: Address) -> Address:
    if address.table is not None and address.query is not None:
        raise FileError("{shown}: give a table or a query, not both.", shown=address.shown)
    if address.query is not None and not _READS.match(address.query):
        raise FileError(
            "{shown}: the query must only read: start it with SELECT, WITH or VALUES.",
            shown=address.shown,
        )
    return address
