"""Placing: files and database tables that appear together, or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import polars as pl

from microveil.errors import FileError
from microveil.files.atomic import writable, writing
from microveil.files.scratch import Scratch, default_mode, scratch_file, scratch_folder


@dataclass(frozen=True)
class Sink:
    """An open file or table to which frames are appended."""

    append: Callable[[pl.DataFrame], None]
    rows: Callable[[], Iterator[pl.DataFrame]] | None = None
    """Reads back what was appended, if that must happen before it is placed: databases."""
    notes: list[str] = field(default_factory=list)
    """What else the format changes, in sentences; complete when the file is."""
    labels_dropped: list[str] = field(default_factory=list)
    """Columns whose value labels the format cannot hold; complete when the file is."""


class Transaction(Protocol):
    """An open transaction of a database."""

    connection: Any

    def commit(self) -> None:
        """Make the changes permanent."""

    def close(self) -> None:
        """Leave the database; uncommitted changes are rolled back."""


class Witness(Protocol):
    """Somebody who notes what is placed: before the first file, and after the last."""

    def begin(self) -> None:
        """Note what is about to be placed; an error keeps everything from being placed."""

    def finish(self) -> None:
        """Note that everything is placed."""

    def withdraw(self) -> None:
        """Note that nothing was placed after all."""


@dataclass
class _Placement:
    """A finished scratch file and its final location."""

    source: Path
    target: Path
    shown: Path
    mode: int | None
    """Permissions of the placed file; by default those of the file it replaces, or the usual
    ones."""
    fresh: bool
    """Whether the location must still be empty."""
    backup: Path | None = None
    placed: bool = False


class Placing:
    """Places everything written within its block when the block succeeds.

    Files are written beside their targets first. When all of them are complete, they are moved into
    place; if one cannot be, those before it are moved back. Database tables are filled within a
    transaction, which is committed last. After any failure nothing has changed.
    """

    def __init__(self) -> None:
        self._scratch: list[Scratch] = []
        self._placements: list[_Placement] = []
        self._sessions: dict[str, Transaction] = {}
        self._finished_first: list[str] = []
        self._witnesses: list[Witness] = []

    def __enter__(self) -> Self:
        return self

    def file(self, path: Path, *, private: bool = False) -> Path:
        """A scratch file to be placed at ``path``; a private one is readable by its owner only."""
        target = writable(path)
        with writing(path):
            scratch = scratch_file(target, self._scratch)
            mode = 0o600 if private else None
            self._placements.append(_Placement(scratch.path, target, path, mode, fresh=False))
        return scratch.path

    def waiting(self) -> dict[Path, Path]:
        """The scratch files that are to be placed, by where they go."""
        return {one.shown: one.source for one in self._placements}

    def tell(self, witness: Witness) -> None:
        """Let a witness know before the first file is placed, and after the last."""
        self._witnesses.append(witness)

    def folder(self, path: Path) -> Path:
        """A scratch folder beside ``path``, or beside the target of a scratch file."""
        known = [one.target for one in self._placements if one.source == path]
        target = known[0] if known else writable(path)
        with writing(path):
            scratch = scratch_folder(target, self._scratch)
        return scratch.path

    def session(
        self, key: str, opened: Callable[[Path | None], Transaction], path: Path
    ) -> Transaction:
        """The open transaction of a database file, opened once.

        A database that does not exist yet is created in a scratch folder and placed when complete,
        so that two programs creating the same one do not harm each other.
        """
        if key not in self._sessions:
            target = writable(path)
            if target.exists():
                self._sessions[key] = opened(None)
            else:
                made = self.folder(path) / "database"
                self._sessions[key] = opened(made)
                self._finished_first.append(key)
                self._placements.append(_Placement(made, target, path, None, fresh=True))
        return self._sessions[key]

    def server_session(self, key: str, opened: Callable[[], Transaction]) -> Transaction:
        """The open transaction of a database server, opened once."""
        if key not in self._sessions:
            self._sessions[key] = opened()
        return self._sessions[key]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Place everything, or remove everything."""
        try:
            if kind is None:
                self._place()
        finally:
            self._clean()

    def _place(self) -> None:
        for key in self._finished_first:
            session = self._sessions.pop(key)
            try:
                session.commit()
            finally:
                session.close()
        begun: list[Witness] = []
        try:
            self._put_all(begun)
        except BaseException:
            for placement in reversed(self._placements):
                _put_back(placement)
            for witness in begun:
                witness.withdraw()
            raise
        for folder in {placement.target.parent for placement in self._placements}:
            with suppress(OSError):  # not every system can flush a folder
                _flush(folder)
        for witness in begun:
            witness.finish()

    def _put_all(self, begun: list[Witness]) -> None:
        """Put everything in its place; witnesses who know of it are added to those given."""
        for placement in self._placements:
            with writing(placement.shown):
                _prepare(placement, keep_old=self._several)
        for witness in self._witnesses:
            witness.begin()
            begun.append(witness)
        for placement in self._placements:
            with writing(placement.shown):
                _put(placement)
        for session in self._sessions.values():
            session.commit()

    @property
    def _several(self) -> bool:
        return len(self._placements) + len(self._sessions) > 1

    def _clean(self) -> None:
        for session in self._sessions.values():
            session.close()
        for scratch in self._scratch:
            scratch.remove()
        for placement in self._placements:
            if placement.backup is not None:
                with suppress(OSError):
                    placement.backup.unlink(missing_ok=True)


def _prepare(placement: _Placement, *, keep_old: bool) -> None:
    """Everything that can fail before the first file is placed: permissions, flushing, backups."""
    mode, target = placement.mode, placement.target
    if mode is None:
        mode = target.stat().st_mode & 0o7777 if target.exists() else default_mode(target.parent)
    placement.source.chmod(mode)
    _flush(placement.source)
    if keep_old and target.exists() and not placement.fresh:
        placement.backup = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
        try:
            placement.backup.hardlink_to(target)
        except OSError:  # a file system without links
            shutil.copy2(target, placement.backup)


def _put(placement: _Placement) -> None:
    if placement.fresh:
        try:
            placement.target.hardlink_to(placement.source)
        except FileExistsError:
            raise _made_meanwhile(placement) from None
        except OSError:  # a file system without links
            if placement.target.exists():
                raise _made_meanwhile(placement) from None
            placement.source.replace(placement.target)
    else:
        placement.source.replace(placement.target)
    placement.placed = True


def _made_meanwhile(placement: _Placement) -> FileError:
    return FileError(
        "{shown} was created by another program meanwhile, and is unchanged. Run again to "
        "write to it.",
        shown=placement.shown,
    )


def _put_back(placement: _Placement) -> None:
    """Restore what was there before, or nothing."""
    if not placement.placed:
        return
    with suppress(OSError):
        if placement.backup is not None:
            placement.backup.replace(placement.target)
        else:
            placement.target.unlink()


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
