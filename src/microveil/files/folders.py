"""Folders and patterns: many files with the same columns, read as one table.

The files are taken in the order of their names. Those that are hidden (``.name``, ``_name``) or
unfinished (``.partial``, ``.tmp``, ``.crc``) are no data. Every file has the same columns, found by
name: their order may differ, and is that of the first file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from glob import has_magic
from pathlib import Path
from stat import S_ISREG
from typing import Any

from microveil.errors import FileError, system_reason
from microveil.files.sources import existing, expand_home
from microveil.texts import join_and, phrase

_HIDDEN = (".", "_")
_UNFINISHED = (".partial", ".tmp", ".crc")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""How the address of a database starts, however mistyped: it may hold a password and any sign."""
_PARTITION = re.compile(r"[^=]+=.*")


def is_many(source: str | Path) -> bool:
    """Whether a source is a folder or a pattern of files, not one file or a database.

    >>> is_many("people/*.csv"), is_many("people.csv"), is_many("sqlite:///a.db?query=select 2*2")
    (True, False, False)
    """
    if _ADDRESS.match(str(source)):
        return False
    path = expand_home(source)
    return path.is_dir() or is_pattern(path)


def is_pattern(source: str | Path) -> bool:
    """Whether a path stands for several files; one that exists stands for itself."""
    text = str(source)
    return has_magic(text) and not _ADDRESS.match(text) and not expand_home(source).exists()


def files_of(source: str | Path) -> list[Path]:
    """The files of a folder or a pattern in the order of their names; or the one file itself."""
    path = expand_home(source)
    if path.is_dir():
        files = _in_folder(path)
    elif is_pattern(path):
        files = _matching(path)
    else:
        return [existing(path)]
    for file in files:
        _refuse_empty(file)
    return files


def n_bytes_of(source: str | Path) -> int:
    """The size of a file, or of all files of a folder or a pattern; 0 for a database."""
    if is_many(source):
        return sum(file.stat().st_size for file in files_of(source))
    path = expand_home(source)
    return path.stat().st_size if path.is_file() else 0


def would_hold(source: Path, inside: Path) -> bool:
    """Whether a file at a place would be one of those that a folder or a pattern stands for."""
    place = inside.resolve()
    if source.is_dir():
        return source.resolve() in place.parents
    # A star also stands for folders here: rather refuse too much than read a result again.
    pattern = str(source.parent.resolve() / source.name)
    if fnmatchcase(str(place), pattern):
        return True
    return any(file.resolve() == place for file in _fitting(source))


def same_columns(schemas: Iterable[tuple[Path, Mapping[str, Any]]]) -> list[str]:
    """The columns of the first file, after checking that every file has them, of the same types."""
    told = iter(schemas)
    first, columns = next(told)
    for file, others in told:
        if others != columns:
            refuse_unlike(first, columns, file, others)
    return list(columns)


def refuse_unlike(
    first: Path, columns: Mapping[str, Any], file: Path, others: Mapping[str, Any]
) -> None:
    """Raise an error if a file lacks a column of the first one, has another, or another type."""
    problems = []
    if lacking := [name for name in columns if name not in others]:
        problems.append(
            phrase("lacks column {lacking:quoted} of {name}", lacking=lacking, name=first.name)
        )
    if more := [name for name in others if name not in columns]:
        problems.append(
            phrase("has column {more:quoted}, which {name} lacks", more=more, name=first.name)
        )
    if changed := [name for name in columns if name in others and others[name] != columns[name]]:
        problems.append(
            phrase(
                "has column {changed:quoted} of another type than {name}",
                changed=changed,
                name=first.name,
            )
        )
    if problems:
        raise FileError(
            "{file} {problems}. Give all files the same columns and types.",
            file=file,
            problems=join_and(problems),
        )


def _refuse_empty(file: Path) -> None:
    """Raise an error for what is no file or empty, without the time to open each of thousands."""
    try:
        told = file.stat()
    except OSError as error:
        raise FileError(
            "{file} cannot be opened: {reason}.", file=file, reason=system_reason(error)
        ) from None
    if not S_ISREG(told.st_mode) or not told.st_size:
        existing(file)


def _in_folder(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as found:
            data = sorted((one.name, one.is_dir()) for one in found if _is_data(one.name))
    except OSError as error:
        raise FileError(
            "{folder} cannot be opened: {reason}.", folder=folder, reason=system_reason(error)
        ) from None
    if inner := [name for name, is_folder in data if is_folder]:
        raise FileError(
            "{folder} holds folders ({inner:quoted}), and files are read from one folder. "
            "Name one of them, or a pattern such as '{folder}/*/*.parquet'.",
            folder=folder,
            inner=inner,
        )
    if not data:
        raise FileError(
            "{folder} is a folder without data files. Name a file, or another folder.",
            folder=folder,
        )
    return [folder / name for name, _ in data]


def _matching(pattern: Path) -> list[Path]:
    fixed = len(_fixed_part(pattern).parts)
    found = [file for file in _fitting(pattern) if _is_data(file.name, pattern.name[:1])]
    if not found:
        raise FileError("No file fits the pattern {pattern}.", pattern=pattern)
    if any(_PARTITION.fullmatch(one) for file in found for one in file.parent.parts[fixed:]):
        raise FileError(
            "{pattern}: names of folders such as 'year=2024' hold a column that the files "
            "lack. Read the files of one folder at a time, or add the column to the files.",
            pattern=pattern,
        )
    return found


def _fitting(pattern: Path) -> list[Path]:
    """The files that fit a pattern and are in no hidden folder, in the order of their names."""
    fixed = _fixed_part(pattern)
    found = fixed.glob(str(pattern.relative_to(fixed)))
    return sorted((file for file in found if not file.is_dir() and _in_sight(file, fixed)), key=str)


def _in_sight(file: Path, folder: Path) -> bool:
    return not any(part.startswith(_HIDDEN) for part in file.relative_to(folder).parts[:-1])


def _fixed_part(pattern: Path) -> Path:
    """The folder at the start of a pattern, which stands for itself."""
    return next(folder for folder in pattern.parents if not has_magic(str(folder)))


def _is_data(name: str, asked: str = "") -> bool:
    """Whether a file is neither hidden, unless that is asked for, nor unfinished."""
    hidden = name.startswith(_HIDDEN) and name[:1] != asked
    return not hidden and not name.lower().endswith(_UNFINISHED)
