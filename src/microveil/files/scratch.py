"""Scratch files: what a run writes before it is complete, locked while the run is alive.

A scratch file or folder is placed beside its target and called ``.<name>.<random>.partial``. Only
its owner may read it, because it holds rows that are not released yet. Its run holds a lock on it,
which the system drops however the run ends. The next run for the same target can therefore
recognise what a killed run left behind, and removes it.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # not every system has these locks; nothing is removed there
    fcntl = None  # type: ignore[assignment]

_TRIES = 20


@dataclass
class Scratch:
    """A scratch file or folder, and the lock that shows that its run is alive."""

    path: Path
    descriptor: int
    """The open file that holds the lock; −1 if there is none."""

    def remove(self) -> None:
        """Remove it, whatever its state, and release the lock."""
        _remove(self.path)
        self.release()

    def release(self) -> None:
        """Release the lock."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def scratch_file(target: Path, listed: list[Scratch]) -> Scratch:
    """A new empty file beside the target that only its owner may read.

    It is listed before it exists: a signal at any moment finds what there is to remove.
    """
    return _scratch(target, listed, _new_file)


def scratch_folder(target: Path, listed: list[Scratch]) -> Scratch:
    """A new folder beside the target that only its owner may enter; listed likewise."""
    return _scratch(target, listed, _new_folder)


def sweep(target: Path) -> int:
    """Remove what dead runs left beside the target; return the number of files and folders."""
    if fcntl is None:
        return 0
    pattern = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}\.partial")
    try:
        strays = [path for path in target.parent.iterdir() if pattern.fullmatch(path.name)]
    except OSError:  # a folder that is writable but cannot be listed
        return 0
    return sum(_sweep(stray) for stray in strays)


def default_mode(folder: Path) -> int:
    """The mode of a new file here; taken from an empty one, since asking would change the umask."""
    probe = folder / f".microveil.{secrets.token_hex(4)}.partial"
    descriptor = os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        return os.fstat(descriptor).st_mode & 0o777
    finally:
        os.close(descriptor)
        probe.unlink()


def _scratch(target: Path, listed: list[Scratch], made: Callable[[Path], int]) -> Scratch:
    sweep(target)
    for _ in range(_TRIES):
        path = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
        scratch = Scratch(path, -1)
        listed.append(scratch)
        try:
            scratch.descriptor = made(path)
        except Exception:  # not ours: it was there before, or was never made
            listed.remove(scratch)
            raise
        if _lock(scratch.descriptor, without_locks=True) and _still_there(scratch):
            return scratch
        # Another run took it for an orphan before it was locked.
        scratch.remove()
        listed.remove(scratch)
    raise OSError(0, "no scratch file could be kept")


def _new_file(path: Path) -> int:
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)


def _new_folder(path: Path) -> int:
    path.mkdir(mode=0o700)
    return os.open(path, os.O_RDONLY)


def _sweep(stray: Path) -> bool:
    """Remove an orphan whose run is dead, that is, whose lock is free."""
    try:
        descriptor = os.open(stray, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:  # gone meanwhile, or somebody else's
        return False
    try:
        dead = _lock(descriptor, without_locks=False)
        if dead:
            _remove(stray)
        return dead and not stray.exists()
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, without_locks: bool) -> bool:
    """Take the lock; whether it was free."""
    if fcntl is None:
        return without_locks
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return without_locks
    return True


def _still_there(scratch: Scratch) -> bool:
    try:
        return scratch.path.stat().st_ino == os.fstat(scratch.descriptor).st_ino
    except FileNotFoundError:
        return False


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
