"""Databases: an address to read a table from; its password stays in memory and is never shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from microveil.errors import InputError
from microveil.files import format_of
from microveil.files.databases.address import Address, is_url, without_password, without_table
from microveil.texts import Message

ON_SERVERS = ("postgresql://", "postgres://")
ADDRESSES = (*ON_SERVERS, "sqlite:///", "duckdb:///")
SUFFIXES = (".db", ".sqlite", ".sqlite3", ".duckdb", ".ddb")


@dataclass(frozen=True)
class Login:
    """Where a database is, and who asks."""

    address: str = field(default="", repr=False)
    """URL or path as it was typed; a URL may hold a password."""
    user: str = ""
    password: str = field(default="", repr=False)

    @property
    def shown(self) -> str:
        """The address without user and password.

        >>> Login("postgresql://ann:secret@host/people").shown
        'postgresql://host/people'
        """
        return without_password(without_table(self.address)) if self.address else ""

    def name_of(self, table: str) -> str:
        """A table of it, as the library reads it again, without user and password.

        >>> Login("people.db").name_of("t")
        'sqlite:///people.db?table=t'
        """
        engine = "duckdb" if self.shown.lower().endswith((".duckdb", ".ddb")) else "sqlite"
        place = self.shown if "://" in self.shown else f"{engine}:///{self.shown}"
        return f"{place}?table={quote(table)}"

    @property
    def source(self) -> str:
        """The address that the library reads from: confidential."""
        text = self.address.strip()
        if not self.user or "://" not in text:
            return text
        scheme, _, rest = text.partition("://")
        return f"{scheme}://{quote(self.user, safe='')}{self._secret}@{rest.rpartition('@')[2]}"

    @property
    def _secret(self) -> str:
        return f":{quote(self.password, safe='')}" if self.password else ""


def check_login(login: Login, *, local: bool, servers: bool) -> None:
    """Refuse what this app may not open: files of its machine, or servers that it reaches.

    ``local`` tells that only people of this machine use the app.
    """
    text = login.address.strip()
    if text.startswith(ON_SERVERS):
        if not servers:
            raise InputError("This app reads no database servers: start it with --databases.")
        return
    is_file = text.startswith(ADDRESSES) or text.lower().endswith(SUFFIXES)
    if not text or not is_file:
        raise InputError(
            Message(
                "app.type_address_database_postgresql",
                "Type the address of a database: postgresql://host/name, or the path of an "
                "SQLite or DuckDB file.",
            )
        )
    if not local:
        raise InputError(
            Message(
                "app.send_database_file_instead",
                "Send the database file instead: others use this app, too.",
            )
        )
    if not is_url(text) and not Path(text).is_file():
        raise InputError(Message("app.there_no_such_database", "There is no such database file."))


def tables_in(login: Login) -> list[str]:
    """Names of the tables and views to choose from."""
    known = format_of(login.source)
    if known.tables is None:
        raise InputError("This address is no database's.")
    names = known.tables(Address.of(login.source, None, None, known.name))
    return [name for name in names if name.removeprefix("public.") not in names or "." not in name]
