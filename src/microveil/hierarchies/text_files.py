"""Hierarchy files as text: finding and reading them."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from microveil.errors import FileError, system_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER: ContextVar[Path | None] = ContextVar("hierarchy_folder", default=None)


@contextmanager
def beside(folder: str | Path) -> Iterator[None]:
    """Within the block, look for relative paths in this folder (the recipe's) first."""
    token = _FOLDER.set(Path(folder))
    try:
        yield
    finally:
        _FOLDER.reset(token)


def find(path: str | Path) -> Path:
    """Path of a hierarchy file: absolute, beside the recipe, or in the working directory."""
    wanted, folder = Path(path), _FOLDER.get()
    if folder is not None and (folder / wanted).is_file():
        return folder / wanted
    return wanted


def find_file(text: str) -> Path | None:
    """The file that a text names, if there is one."""
    with suppress(OSError, ValueError):  # too long for a name, or with a character of no name
        path = find(text)
        return path if path.is_file() else None
    return None


def read_text(path: str | Path) -> str:
    """Content of a UTF-8 file, with or without a byte-order mark."""
    try:
        return find(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise FileError(
            "No hierarchy file '{path}'. Paths start at the recipe or the working directory.",
            path=path,
        ) from None
    except UnicodeDecodeError:
        raise FileError(
            "Hierarchy file '{path}' is not UTF-8 text. Save it as UTF-8.", path=path
        ) from None
    except OSError as error:
        raise FileError(
            "Hierarchy file '{path}' cannot be read: {reason}.",
            path=path,
            reason=system_reason(error),
        ) from None
