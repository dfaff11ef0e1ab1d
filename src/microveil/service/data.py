"""The private tables in memory: read once, checked against the registration, prepared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import TypeVar

import polars as pl

from microveil.dp import Column, Declaration, Prepared, dummy_table, prepare
from microveil.dp.prepared import cast_columns
from microveil.errors import MicroveilError
from microveil.files import read
from microveil.service.fingerprints import fingerprint
from microveil.service.owner_file import OwnerFile
from microveil.service.registry import DataSet

DUMMY_ROWS = 1000


class DataUnavailableError(MicroveilError):
    """The data of a registered data set are unavailable."""


def load(source: Path, owner: OwnerFile) -> Prepared:
    """Read a table and its public tables."""
    public = read_public(owner.terms.tables)
    frame = _only_complete(read(source), owner.terms.complete, owner.declaration)
    return prepare(frame, owner.declaration, public)


def read_public(tables: Mapping[str, str]) -> dict[str, pl.DataFrame]:
    """The public tables by name."""
    return {name: read(path) for name, path in tables.items()}


def _only_complete(
    frame: pl.DataFrame, names: tuple[str, ...], declaration: Declaration
) -> pl.DataFrame:
    """Rows with a declared key in each column that the owner declares complete.

    Whether a row is kept depends on that row alone, never on other people's rows.
    """
    if not names or not set(names).issubset(frame.columns):
        return frame  # columns that are not there are named when the table is prepared
    columns = {name: declaration.columns[name] for name in names}
    cells = cast_columns(frame.select(names), columns)
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
                _forget_others(self._ready, place)
            return self._ready[place]

    def dummy(self, data: DataSet) -> Prepared:
        """A table about no real person, invented from the declaration; public tables are real."""
        place = data.name, data.identity
        with self._lock:
            if place not in self._dummies:
                made = dummy_table(data.declaration, rows=DUMMY_ROWS)
                public = _read_unchanged(data, lambda: read_public(data.terms.tables))
                self._dummies[place] = prepare(made, data.declaration, public)
                _forget_others(self._dummies, place)
            return self._dummies[place]

    @staticmethod
    def _load(data: DataSet) -> Prepared:
        owner = OwnerFile(declaration=data.declaration, terms=data.terms)
        return _read_unchanged(data, lambda: load(Path(data.source), owner), private=True)


ReadT = TypeVar("ReadT")


def _read_unchanged(data: DataSet, reading: Callable[[], ReadT], *, private: bool = False) -> ReadT:
    """What is read from the registered files; refused if any is not what was registered.

    The files are compared before and after they are read, so that none is exchanged meanwhile.
    """
    try:
        same = _is_registered(data, private=private)
        found = reading() if same else None
        same = same and _is_registered(data, private=private)
    except MicroveilError:
        # The reason is for the owner only: it may name files.
        raise DataUnavailableError(
            f"The file of data set '{data.name}' cannot be read. Tell its owner."
        ) from None
    if found is None or not same:
        raise DataUnavailableError(
            f"The file of data set '{data.name}' is not the one that was registered. The owner "
            "can register it again with `microveil serve add … --replace`."
        )
    return found


def _is_registered(data: DataSet, *, private: bool) -> bool:
    if private and fingerprint(Path(data.source)) != data.fingerprint:
        return False
    known = dict(data.public or {})
    return all(
        fingerprint(Path(path)) == known.get(name) for name, path in data.terms.tables.items()
    )


def _forget_others(kept: dict[tuple[str, str], Prepared], place: tuple[str, str]) -> None:
    """Keep one version of a data set: the others are not asked any more."""
    for other in [one for one in kept if one[0] == place[0] and one != place]:
        kept.pop(other, None)
