"""Receiving: a file streamed into the session's private folder, looked at before it is read."""

from __future__ import annotations

import asyncio
import gzip
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from starlette.requests import ClientDisconnect, Request

from microveil.errors import FileError, InputError
from microveil.files import format_of
from microveil.hierarchies import read_hierarchy, to_tree
from microveil.texts import phrase
from microveil.web.actions import open_project, read_upload
from microveil.web.linked_actions import take_tables
from microveil.web.project.databases import Login
from microveil.web.project.project import new_name
from microveil.web.project.saved import opened_project
from microveil.web.registry_actions import recognise
from microveil.web.sessions import WebSession
from microveil.web.table_actions import take_accepted, take_outputs

LARGEST_UNPACKED = 4 * 1024**3
"""Size limit for an unpacked file, in bytes."""
LARGEST_RATIO = 200
"""Largest ratio of unpacked to packed size; real workbooks and text stay below 50."""
MOST_CELLS = 2 * 10**9
"""Cells of a Parquet file: repeated values take next to no room in it."""
GZIP_MAGIC, PARQUET_MAGIC = b"\x1f\x8b", b"PAR1"
A_PIECE = 2**20
"""Bytes unpacked at a time."""
LARGEST_TEXT = 700 * 1024**2
"""Size limit for a project file, in bytes."""
LONGEST_NAME = 200
PURPOSES = ("data", "project", "hierarchy", "released", "outputs", "accepted", "linked")
LARGE = ("data", "released", "outputs", "accepted", "linked")
"""What may be as large as data."""


def safe_name(name: str) -> str:
    """The last part of a file's name, without anything that leads elsewhere.

    >>> safe_name("../../etc/пароли.csv")
    'пароли.csv'
    """
    last = re.split(r"[\\/]", name)[-1]
    return re.sub(r"[\x00-\x1f\x7f]", "", last).strip(". ")[-LONGEST_NAME:] or "data"


async def receive_file(
    session: WebSession, name: str, purpose: str, request: Request, largest: int
) -> None:
    """Take a file in: data wait to be read, a project is opened, a hierarchy kept as a tree."""
    if purpose not in PURPOSES:
        raise InputError("Unknown purpose of a file.")
    name = safe_name(name)
    suffix = suffix_of(name) if purpose == "data" else short_suffix(name)
    path = session.folder / new_name(suffix)
    try:
        await _stream(request, path, largest if purpose in LARGE else LARGEST_TEXT)
        if purpose in LARGE:
            await asyncio.to_thread(refuse_bomb, path, largest)
        if purpose == "data":
            if session.upload is not None:
                session.upload.unlink(missing_ok=True)
            session.upload, session.upload_name, session.read_options = path, name, {}
            session.login, session.tables = Login(), []
            read_upload(session)
            return
        if purpose in TAKERS:
            TAKERS[purpose](session, path, name)
            return
        _take(session, path, purpose)
    except (InputError, ClientDisconnect):
        path.unlink(missing_ok=True)
        raise
    path.unlink(missing_ok=True)


def short_suffix(name: str) -> str:
    """The ending of a name, as far as it can be part of another name.

    >>> short_suffix("a.CSV.gz"), short_suffix("a. b")
    ('.csv.gz', '')
    """
    found = re.search(r"(\.[a-z0-9]{1,9}){1,2}$", name.lower())
    return found[0] if found else ""


def suffix_of(name: str) -> str:
    """The part of a name that tells the format; an unknown one is refused before anything comes."""
    known = format_of(name)
    return next(one for one in sorted(known.suffixes, key=len)[::-1] if name.lower().endswith(one))


async def _stream(request: Request, path: Path, largest: int) -> None:
    told = request.headers.get("content-length", "")
    too_large = phrase(
        "The file is larger than the {size:,.0f} MB that are taken here.", size=largest / 1024**2
    )
    if told.isdigit() and int(told) > largest:
        raise FileError(too_large)
    size = 0
    with path.open("wb") as out:
        async for chunk in request.stream():
            size += len(chunk)
            if size > largest:
                raise FileError(too_large)
            out.write(chunk)
    if not size:
        raise FileError("The file is empty.")


def refuse_bomb(path: Path, largest: int = LARGEST_UNPACKED) -> None:
    """Refuse a packed file that would unpack to far more than it looks like.

    Text that was packed may be as large as it might have come unpacked: ``largest`` bytes.
    """
    with path.open("rb") as file:
        magic = file.read(4)
    try:
        if magic.startswith(GZIP_MAGIC):
            limit = min(largest, LARGEST_RATIO * max(path.stat().st_size, A_PIECE))
            _refuse_more(_unpacked_size(path, limit), limit)
        elif magic == PARQUET_MAGIC:
            _refuse_many_cells(path)
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                unpacked = sum(one.file_size for one in packed.infolist())
            limit = min(LARGEST_UNPACKED, LARGEST_RATIO * max(path.stat().st_size, 1024))
            _refuse_more(unpacked, limit)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError):
        raise FileError("The file is damaged: it cannot be unpacked.") from None


def _unpacked_size(path: Path, limit: int) -> int:
    """Bytes in a file packed by gzip, counted no further than just past the limit."""
    size = 0
    with gzip.open(path) as packed:
        while size <= limit and (piece := packed.read(A_PIECE)):
            size += len(piece)
    return size


def _refuse_more(unpacked: int, limit: int) -> None:
    if unpacked > limit:
        raise FileError(
            "The file would unpack to {size:,.0f} MB or more, far more than its size "
            "suggests. Send it unpacked, or in parts.",
            size=unpacked / 1024**2,
        )


def _refuse_many_cells(path: Path) -> None:
    from pyarrow.parquet import ParquetFile

    metadata = ParquetFile(path).metadata
    if metadata.num_rows * max(metadata.num_columns, 1) > MOST_CELLS:
        raise FileError(
            "The file has {num_rows:,} rows of {num_columns:,} columns, more than the app "
            "can take. Use the command line, which works in parts.",
            num_rows=metadata.num_rows,
            num_columns=metadata.num_columns,
        )


TAKERS: dict[str, Callable[[WebSession, Path, str], None]] = {
    "released": recognise,
    "outputs": take_outputs,
    "accepted": take_accepted,
    "linked": take_tables,
}
"""Who works with a file in a job, and wipes it."""


def _take(session: WebSession, path: Path, purpose: str) -> None:
    if purpose == "hierarchy":
        session.imported = to_tree(read_hierarchy(path))
        session.mark_changed()
        return
    try:
        project = opened_project(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise InputError("This is no project file: it is not text.") from None
    open_project(session, project)
