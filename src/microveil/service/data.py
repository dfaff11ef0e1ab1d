"""The private tables in memory: read once, checked against the registration, prepared."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

import polars as pl

from microveil.dp import Column, Declaration, Prepared, dummy_table, prepare
from microveil.dp.prepared import typed
from microveil.errors import FileError, MicroveilError
from microveil.files import read
from microveil.service.owner_file import OwnerFile
from microveil.service.registry import DataSet

DUMMY_ROWS = 1000


class DataUnavailableError(MicroveilError):
    """The data of a registered data set are unavailable."""


def fingerprint(source: Path) -> str:
    """SHA-256 of the file's bytes."""
    try:
        with source.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FileError(f"{source} cannot be read ({error.strerror}).") from None


def load(source: Path, owner: OwnerFile) -> Prepared:
    """Read a table and its public tables."""
    public = {name: read(path) for name, path in owner.terms.tables.items()}
    frame = _only_complete(read(source), owner.terms.complete, owner.declaration)
    return prepare(frame, owner.declaration, public)


def _only_complete(
    frame: pl.DataFrame, names: tuple[str, ...], declaration: Declaration
) -> pl.DataFrame:
    """Rows with a declared key in each column that the owner declares complete.

    Whether a row is kept depends on that row alone, never on other people's rows.
    """
    if not names or not set(names).issubset(frame.columns):
        return frame  # columns that are not there are named when the table is prepared
    columns = {name: declaration.columns[name] for name in names}
    cells = typed(frame.select(names), columns)
    return frame.filter(_whole(cells, columns))


def _whole(cells: pl.DataFrame, columns: Mapping[str, Column]) -> pl.Series:
    tests = []
    for name, column in columns.items():
        keys = column.public_keys() or ()
        written = pl.col(name).cast(pl.String)
        listed = [_text(key) for key in keys if key is not None]
        is_key = written.is_in(listed)
        tests.append(is_key.fill_null(value=None in keys))
    return cells.select(pl.all_horizontal(tests).alias("whole"))["whole"]


def _text(key: object) -> str:
    """A key as the table writes it."""
    return str(key).lower() if isinstance(key, bool) else str(key)


class Shelf:
    """Prepared tables, each loaded on first use."""

    def __init__(self) -> None:
        """Start empty."""
        self._ready: dict[tuple[str, str], Prepared] = {}
        self._dummies: dict[tuple[str, str], Prepared] = {}
        self._locks: dict[tuple[str, str], Lock] = {}
        self._lock = Lock()

    def has(self, data: DataSet) -> bool:
        """Whether the private table is loaded."""
        return (data.name, data.identity) in self._ready

    def table(self, data: DataSet) -> Prepared:
        """The private table; refuses data other than those registered."""
        place = data.name, data.identity
        ready = self._ready.get(place)
        if ready is not None:
            return ready
        with self._lock:
            lock = self._locks.setdefault(place, Lock())
        with lock:
            if place not in self._ready:
                self._ready[place] = self._load(data)
            return self._ready[place]

    def dummy(self, data: DataSet) -> Prepared:
        """A table about no real person, invented from the declaration; public tables are real."""
        place = data.name, data.identity
        with self._lock:
            if place not in self._dummies:
                public = {name: read(path) for name, path in data.terms.tables.items()}
                made = dummy_table(data.declaration, rows=DUMMY_ROWS)
                self._dummies[place] = prepare(made, data.declaration, public)
            return self._dummies[place]

    def _load(self, data: DataSet) -> Prepared:
        try:
            same = fingerprint(Path(data.source)) == data.fingerprint
            owner = OwnerFile(declaration=data.declaration, terms=data.terms)
            table = load(Path(data.source), owner) if same else None
        except MicroveilError:
            # The reason is for the owner only: it may name files.
            raise DataUnavailableError(
                f"The file of data set '{data.name}' cannot be read. Tell its owner."
            ) from None
        if table is None:
            raise DataUnavailableError(
                f"The file of data set '{data.name}' is not the one that was registered. The owner "
                "can register it again with `microveil serve add … --replace`."
            )
        return table
