"""The registry: what was released of which source, when, by which recipe, for whom."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from microveil.display import Card, Shown, grid
from microveil.errors import FileError, InputError, SecretError
from microveil.files import write_text
from microveil.files.reading_back import sha256
from microveil.files.texts import read_text
from microveil.registry.auditing import RegistryAudit, audit_entries
from microveil.registry.chain import Entry, next_entry
from microveil.registry.database import Connection, Database
from microveil.registry.entries import ReleaseEntry
from microveil.registry.keyed_hashes import VARIABLE, KeyedHashes

FORMAT = "microveil registry"
_COLUMNS = "seq, at, kind, body, previous, hash, signature"


class Registry(Shown):
    """What has left before, in a SQLite file or a PostgreSQL database; never data.

    People and classes are kept as keyed hashes. The key comes from a file or from the environment
    variable ``MICROVEIL_REGISTRY_KEY``; keep it apart from the registry. Looking at releases needs
    no key, registering and comparing does. Every entry seals those before it.
    """

    def __init__(
        self,
        place: str | Path,
        *,
        key: bytes | None = None,
        key_file: str | Path | None = None,
        create: bool = False,
    ) -> None:
        """Open a registry; ``create`` makes one if there is none."""
        self.database = Database(place)
        self._key, self._key_file = key, key_file
        self._hashes: KeyedHashes | None = None
        if create:
            self.database.create()
        elif not self.database.exists:
            raise FileError(
                "There is no registry at {place}. `microveil releases create` makes one.",
                place=self.database.shown,
            )
        self.database.check_version()
        self._settle()

    @property
    def hashes(self) -> KeyedHashes:
        """Keyed hashes with the registry's own key; an error if the key is another one."""
        if self._hashes is None:
            key = self._key
            made = KeyedHashes(key) if key is not None else KeyedHashes.read(self._key_file)
            self._check_key(made)
            self._hashes = made
        return self._hashes

    def releases(self, source: str | None = None) -> tuple[ReleaseEntry, ...]:
        """Everything that has left, the oldest first; of one source if it is named."""
        with self.database.reading() as connection:
            entries = _entries(connection)
        stopped = [one for one in _pending(entries) if is_in_place(one)]
        found = [*_list_finished(entries), *stopped]
        return tuple(one for one in found if source is None or one.source == source)

    def find(self, name: str) -> ReleaseEntry:
        """The release with this id, or the only one whose id begins so; ``last`` is the newest."""
        known = self.releases()
        if name == "last" and known:
            return known[-1]
        found = [one for one in known if one.id.startswith(name)] if name else []
        if len(found) == 1:
            return found[0]
        raise InputError(
            "There are {n} releases '{name}' in the registry, not one. `microveil releases list` "
            "shows their ids.",
            n=len(found),
            name=name,
        )

    def signatures(self, entry: ReleaseEntry) -> bytes | None:
        """The stored signatures of a release, packed; None if it has none."""
        if entry.signatures is None:
            return None
        statement = "SELECT body FROM registry_signatures WHERE sha256 = ?"
        with self.database.reading() as connection:
            rows = connection.rows(statement, [entry.signatures])
        packed = bytes(rows[0][0]) if rows else b""
        if hashlib.sha256(packed).hexdigest() != entry.signatures:
            raise FileError(
                "The signatures of release {id} are damaged or missing. Restore a copy of the "
                "registry.",
                id=entry.id,
            )
        return packed

    def begin(self, entry: ReleaseEntry, packed: bytes | None = None) -> ReleaseEntry:
        """Note a release that is about to be written; :meth:`finish` makes it part of the list."""
        entry = replace(
            entry,
            id=entry.id or secrets.token_hex(6),
            at=entry.at or _now(),
            signatures=None if packed is None else hashlib.sha256(packed).hexdigest(),
            version=metadata.version("microveil"),
        )
        with self._appending() as append:
            if packed is not None:
                append.keep(str(entry.signatures), packed)
            append("begun", entry.to_dict())
        return entry

    def finish(self, entry: ReleaseEntry) -> None:
        """Note that a release was written."""
        with self._appending() as append:
            append("finished", {"id": entry.id})

    def withdraw(self, entry: ReleaseEntry) -> None:
        """Note that a release was not written after all."""
        with self._appending() as append:
            append("withdrawn", {"id": entry.id})

    def add(self, entry: ReleaseEntry, packed: bytes | None = None) -> ReleaseEntry:
        """Note something that has left already."""
        begun = self.begin(entry, packed)
        self.finish(begun)
        return begun

    def audit(self) -> RegistryAudit:
        """Whether the entries are as they were written: each seals all before it."""
        with self.database.reading() as connection:
            entries = _entries(connection)
            stored = {
                str(row[0]): hashlib.sha256(bytes(row[1])).hexdigest()
                for row in connection.rows("SELECT sha256, body FROM registry_signatures")
            }
        key = self.hashes.seal_key if self._has_key() else None
        return audit_entries(entries, stored, key)

    def export(self, path: str | Path) -> int:
        """Write all entries and signatures to one JSON file; returns the number of releases."""
        import base64

        with self.database.reading() as connection:
            entries = _entries(connection)
            stored = connection.rows("SELECT sha256, body FROM registry_signatures")
        plain = {
            "format": FORMAT,
            "version": 1,
            "key_fingerprint": self._stored_fingerprint(),
            "entries": [one.__dict__ for one in entries],
            "signatures": {
                name: base64.b64encode(bytes(body)).decode("ascii") for name, body in stored
            },
        }
        write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", Path(path))
        return len(_list_finished(entries))

    def import_from(self, path: str | Path) -> int:
        """Take the releases of an export that this registry does not have; returns how many.

        The export's own chain must be whole. A registry without entries takes it over as it is;
        one with entries appends the releases to its own chain.
        """
        import base64

        plain = _read_export(Path(path))
        entries = [Entry(**one) for one in plain["entries"]]
        stored = {name: base64.b64decode(text) for name, text in plain["signatures"].items()}
        sums = {name: hashlib.sha256(body).hexdigest() for name, body in stored.items()}
        looked = audit_entries(entries, sums, None)
        if not looked.holds:
            raise FileError(
                "{path} is not whole: {problem} Nothing was imported.",
                path=path,
                problem=looked.problems[0],
            )
        self._take_fingerprint(plain.get("key_fingerprint"))
        known = {one.id for one in self.releases()}
        new = [one for one in _list_finished(entries) if one.id not in known]
        with self._appending() as append:
            if not append.n_entries:
                append.take_over(entries)
            else:
                for one in new:
                    append("begun", one.to_dict())
                    append("finished", {"id": one.id})
            for name, body in stored.items():
                append.keep(name, body)
        return len(new)

    def card(self) -> Card:
        """The list of releases."""
        rows = [
            (one.id, one.at[:16], one.kind, one.source, one.title, one.audience or "–")
            for one in self.releases()
        ]
        heads = ("id", "when (UTC)", "kind", "source", "what", "for")
        return Card(f"{len(rows):,} releases", (), (grid(heads, rows),) if rows else ())

    def _settle(self) -> None:
        """Note what a stopped run had written; without the key it is only shown as written."""
        if not self._has_key():
            return
        with self.database.reading() as connection:
            pending = _pending(_entries(connection))
        for one in pending:
            if is_in_place(one):
                self.finish(one)

    def _has_key(self) -> bool:
        if self._key is None and self._key_file is None and not os.environ.get(VARIABLE):
            return False
        return bool(self.hashes)

    def _check_key(self, made: KeyedHashes) -> None:
        known = self._stored_fingerprint()
        if known is None:
            self._take_fingerprint(made.fingerprint)
        elif known != made.fingerprint:
            raise SecretError(
                "The key is not that of the registry {place}. Give the key with which its first "
                "release was registered (fingerprint {fingerprint}).",
                place=self.database.shown,
                fingerprint=known,
            )

    def _stored_fingerprint(self) -> str | None:
        with self.database.reading() as connection:
            rows = connection.rows("SELECT value FROM registry_facts WHERE name = 'key'")
        return str(rows[0][0]) if rows else None

    def _take_fingerprint(self, given: str | None) -> None:
        if given is None:
            return
        known = self._stored_fingerprint()
        if known is not None and known != given:
            raise SecretError("The export was made with another key; its people differ from ours.")
        if known is None:
            statement = "INSERT INTO registry_facts VALUES ('key', ?)"
            with self.database.writing() as connection:
                if not connection.rows("SELECT 1 FROM registry_facts WHERE name = 'key'"):
                    connection.execute(statement, [given])

    @contextmanager
    def _appending(self) -> Iterator[_Appender]:
        key = self.hashes.seal_key
        with self.database.writing() as connection:
            yield _Appender(connection, key)


class _Appender:
    """Adds entries to the chain within one transaction."""

    def __init__(self, connection: Connection, key: bytes) -> None:
        self._connection, self._key = connection, key
        rows = connection.rows(
            f"SELECT {_COLUMNS} FROM registry_entries ORDER BY seq DESC LIMIT 1"  # noqa: S608  a constant
        )
        self._last = Entry(*rows[0]) if rows else None
        self._now = _now()

    @property
    def n_entries(self) -> int:
        """Entries so far."""
        return 0 if self._last is None else self._last.seq

    def __call__(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Append one entry."""
        self._write(next_entry(self._last, self._now, kind, dict(facts), self._key))

    def take_over(self, entries: list[Entry]) -> None:
        """Append entries of another registry as they are."""
        for one in entries:
            self._write(one)

    def keep(self, name: str, body: bytes) -> None:
        """Store signatures, once."""
        asked = "SELECT 1 FROM registry_signatures WHERE sha256 = ?"
        if not self._connection.rows(asked, [name]):
            self._connection.execute("INSERT INTO registry_signatures VALUES (?, ?)", [name, body])

    def _write(self, entry: Entry) -> None:
        gaps = ", ".join("?" * 7)
        statement = f"INSERT INTO registry_entries ({_COLUMNS}) VALUES ({gaps})"  # noqa: S608  constants
        self._connection.execute(statement, list(entry.__dict__.values()))
        self._last = entry


def is_in_place(entry: ReleaseEntry) -> bool:
    """Whether every file of a release stands where it was to be written."""
    told = [one for one in entry.outputs if one.target and one.sha256]
    if not told:
        return False
    places = [(Path(str(one.target)), one.sha256) for one in told]
    return all(place.exists() and sha256(place) == sum_ for place, sum_ in places)


def _entries(connection: Connection) -> list[Entry]:
    statement = f"SELECT {_COLUMNS} FROM registry_entries ORDER BY seq"  # noqa: S608  a constant
    return [Entry(*row) for row in connection.rows(statement)]


def _list_finished(entries: list[Entry]) -> list[ReleaseEntry]:
    begun = {str(one.facts["id"]): one for one in entries if one.kind == "begun"}
    done = dict.fromkeys(str(one.facts["id"]) for one in entries if one.kind == "finished")
    gone = {str(one.facts["id"]) for one in entries if one.kind == "withdrawn"}
    return [ReleaseEntry.of(begun[name].facts) for name in done if name in begun.keys() - gone]


def _pending(entries: list[Entry]) -> list[ReleaseEntry]:
    ended = {str(one.facts["id"]) for one in entries if one.kind in ("finished", "withdrawn")}
    begun = [one.facts for one in entries if one.kind == "begun"]
    return [ReleaseEntry.of(facts) for facts in begun if facts["id"] not in ended]


def _read_export(path: Path) -> dict[str, Any]:
    try:
        plain = json.loads(read_text(path))
    except ValueError:
        plain = None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise FileError(
            "{path} is no export of a registry (`microveil releases export`).", path=path
        )
    if plain.get("version") != 1:
        raise FileError(
            "{path} is from a newer version of Microveil. Update the program.", path=path
        )
    return plain


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
