"""Atomic files: a reader sees the old file or the new one, never a partial one."""

from __future__ import annotations

import errno
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from microveil.errors import FileError, system_reason
from microveil.texts import phrase

_REASONS = {
    errno.ENOSPC: phrase("the disk is full"),
    errno.EDQUOT: phrase("your disk quota is used up"),
    errno.EFBIG: phrase("the file would be larger than the system allows"),
    errno.EACCES: phrase("you may not write there"),
    errno.EPERM: phrase("you may not write there"),
    errno.EROFS: phrase("the disk is read-only"),
    errno.ENAMETOOLONG: phrase("its name is too long"),
}


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A scratch file beside ``path`` that replaces it when the block succeeds.

    After any failure the scratch file is removed and the old file is unchanged. A killed process
    can leave ``.<name>.<random>.partial`` behind, which the next run for the same file removes.
    """
    from microveil.files.placing import Placing

    with writing(path), Placing() as placing:
        yield placing.file(path)


@contextmanager
def writing(shown: object) -> Iterator[None]:
    """Turn a system error on writing into a sentence."""
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(_number(error)) or system_reason(error)
        raise FileError(
            "{shown} cannot be written: {reason}. The previous content is unchanged.",
            shown=shown,
            reason=reason,
        ) from None


def _number(error: OSError) -> int:
    """The system's error number; writers in Rust hide it in their text."""
    hidden = re.search(r"os error (\d+)", str(error))
    return error.errno or (int(hidden[1]) if hidden else 0)


def writable(path: Path) -> Path:
    """The final location of the file, with links resolved; an error if it cannot be there."""
    target = path.resolve()
    if target.is_dir():
        raise FileError("{path} is a folder. Name a file in it.", path=path)
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        raise FileError(
            "{path} is a device or a pipe; it cannot be replaced. Name a file.", path=path
        )
    if not target.parent.is_dir():
        raise FileError(
            "{path} cannot be written: there is no folder {parent}. Create it.",
            path=path,
            parent=path.parent,
        )
    return target
