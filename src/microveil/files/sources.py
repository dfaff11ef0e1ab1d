"""Sources: an existing file, and its reader's failures in one sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

import polars as pl

from microveil.errors import ColumnError, FileError, MicroveilError, did_you_mean, system_reason
from microveil.extras import extra_of
from microveil.texts import Message, phrase

LONGEST_NAME, LONGEST_PATH = 255, 4095
"""Bytes of the longest name and path that common file systems allow."""

NULL = "\x00"
"""The null character, at which C programs end a text."""
NO_CHARACTERS = "[\ufffe\uffff]"
"""What Unicode keeps from being characters, and XML does not hold."""


def expand_home(path: str | Path) -> Path:
    """The path with ``~`` expanded; a ``~`` that is no home directory is literal.

    A path that no file system could have is refused here, before anything looks for it.
    """
    refuse_impossible(path)
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def refuse_impossible(path: str | Path) -> None:
    """Raise an error for a path that the system itself would refuse to look for."""
    if "\0" in str(path):
        raise FileError("A path cannot hold a zero character.")
    if "://" in str(path):
        return  # the address of a database, with a table or a query of any length
    longest = max(len(os.fsencode(part)) for part in (*Path(path).parts, ""))
    if longest > LONGEST_NAME or len(os.fsencode(path)) > LONGEST_PATH:
        raise FileError("{path}: the name is too long for a file. Shorten it.", path=path)


def existing(path: Path) -> Path:
    """The path, after checking that there is a readable, non-empty file."""
    refuse_impossible(path)
    if path.is_dir():
        raise FileError("{path} is a folder. Name a file in it.", path=path)
    if not path.exists():
        folder = path.parent
        where = (
            ""
            if folder.is_dir()
            else phrase(" The folder {folder} does not exist either.", folder=folder)
        )
        raise FileError(
            "No file {path}.{hint}{where}",
            path=path,
            hint=_nearest(path),
            where=where,
        )
    if not path.is_file():
        raise FileError(
            "{path} is a pipe or a device. Save what it gives to a file first.", path=path
        )
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise FileError(
            "{path} cannot be opened: {reason}.", path=path, reason=system_reason(error)
        ) from None
    if empty:
        raise FileError(
            "{path} is empty: it holds no table, not even the names of its columns.", path=path
        )
    return path


def _nearest(path: Path) -> str:
    """A hint at a file of the same name with another ending, or of a similar name."""
    # By the name without its ending, which many files share.
    there = path.parent.iterdir() if path.parent.is_dir() else ()
    stems = {item.stem: item.name for item in there if item.is_file()}
    names = [stems[stem] for stem in get_close_matches(path.stem, list(stems), n=1)]
    if path.stem in stems:
        return Message("error.did_you_mean", " Did you mean '{name}'?", name=stems[path.stem])
    return did_you_mean(path.name, names)


@contextmanager
def reading(shown: object, title: str, hint: str = "") -> Iterator[None]:
    """Turn a reader's failure into our own sentence, since theirs may quote cells."""
    try:
        yield
    except MicroveilError:
        raise
    except MemoryError:
        raise FileError(
            "{shown} does not fit into memory. Read fewer columns.", shown=shown
        ) from None
    except BaseException as error:
        # Whatever a foreign reader raises, including a Rust panic, which is not an Exception.
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        if isinstance(error, ModuleNotFoundError) and (extra := extra_of(error.name)):
            raise FileError(
                "{title} needs a package that is not installed: pip install 'microveil[{extra}]'.",
                title=title,
                extra=extra,
            ) from None
        if isinstance(error, OSError) and error.strerror:
            msg = Message(
                "files.unreadable",
                "{file} cannot be read: {reason}.",
                file=shown,
                reason=system_reason(error),
            )
            raise FileError(msg) from None
        msg = Message(
            "files.damaged",
            "{file} cannot be read as {format} ({kind}): it is damaged, cut off or of another "
            "format.{hint}",
            file=shown,
            format=title,
            kind=type(error).__name__,
            hint=hint,
        )
        raise FileError(msg) from None


def is_panic(error: BaseException) -> bool:
    """Whether a reader written in Rust panicked."""
    return type(error).__name__ == "PanicException"


def choose_columns(names: list[str], columns: Sequence[str] | None, shown: object) -> list[str]:
    """The columns to read: those requested, which must exist, or all."""
    if columns is None:
        return names
    asked = [columns] if isinstance(columns, str) else list(columns)
    missing = [name for name in asked if name not in names]
    if missing:
        raise ColumnError(
            "No column {missing:quoted} in {shown}.{hint} Columns: {names}.",
            missing=missing,
            shown=shown,
            hint=did_you_mean(missing[0], names),
            names=names,
        )
    return asked


def distinct(names: list[str], shown: object) -> list[str]:
    """The names, after checking that none occurs twice."""
    doubled = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if doubled:
        raise FileError(
            "{shown}: the column name {doubled:quoted} occurs more than once. Give each "
            "column a name of its own.",
            shown=shown,
            doubled=doubled,
        )
    return names


def refuse(frame: pl.DataFrame | pl.Schema, title: str) -> None:
    """Raise an error for columns that a flat format cannot hold."""
    schema = frame if isinstance(frame, pl.Schema) else frame.schema
    nested = [
        name
        for name, dtype in schema.items()
        if dtype.is_nested() or dtype in (pl.Object, pl.Binary)
    ]
    if nested:
        raise FileError(
            "{title} cannot hold column {nested:quoted}: its cells are nested or binary. "
            "Turn them into text or numbers, drop the column, or write Parquet.",
            title=title,
            nested=nested,
        )


def refuse_wide(schema: pl.Schema, title: str) -> None:
    """Raise an error for 128-bit whole numbers, which Arrow does not support."""
    wide = [name for name, dtype in schema.items() if dtype in (pl.Int128, pl.UInt128)]
    if wide:
        raise FileError(
            "{title} cannot hold column {wide:quoted}: its whole numbers have 128 bits. Turn "
            "them into text or 64 bits, or write CSV.",
            title=title,
            wide=wide,
        )


def refuse_large(frame: pl.DataFrame, title: str, most: int) -> None:
    """Raise an error for whole numbers with more digits than a format keeps."""
    for name, dtype in frame.schema.items():
        if dtype in (pl.Int64, pl.UInt64, pl.Int128, pl.UInt128):
            numbers = frame[name].cast(pl.Int128, strict=False)
            n_cells = int((~numbers.is_between(-most, most)).sum() or 0)
            if n_cells:
                raise FileError(
                    "{title} cannot hold the {n_cells} whole numbers beyond {most:,} in "
                    "column '{name}'. Write them as text, or write Parquet or CSV.",
                    title=title,
                    n_cells=n_cells,
                    most=most,
                    name=name,
                )


def refuse_infinite(frame: pl.DataFrame, title: str) -> None:
    """Raise an error for infinite numbers, which spreadsheets and statistics packages lack."""
    floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    infinite = [name for name in floats if frame[name].is_infinite().any()]
    if infinite:
        n_cells = sum(int(frame[name].is_infinite().sum() or 0) for name in infinite)
        raise FileError(
            "{title} cannot hold the {n_cells} infinite numbers in column {infinite:quoted}. "
            "Replace them, or write Parquet or CSV.",
            title=title,
            n_cells=n_cells,
            infinite=infinite,
        )


def refuse_characters(frame: pl.DataFrame, title: str, pattern: str = NULL) -> None:
    """Raise an error for text with characters that a format does not hold."""
    texts = frame.select(pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String))
    unfit = [column.name for column in texts if column.str.contains(pattern).any()]
    if unfit:
        raise FileError(
            "{title} cannot hold the control characters in column {unfit:quoted}. Write CSV or "
            "Parquet instead.",
            title=title,
            unfit=unfit,
        )
