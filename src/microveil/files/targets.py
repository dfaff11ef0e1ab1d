"""Targets: whether something can be written where it should go, checked before the work."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from microveil.errors import FileError
from microveil.files.atomic import writable
from microveil.files.databases.address import Address
from microveil.files.databases.target import fate_of
from microveil.files.folders import would_hold
from microveil.files.formats import check_write_options, format_of, place_of
from microveil.files.options import WriteOptions
from microveil.files.sources import expand_home
from microveil.files.writing import writable_format


@dataclass(frozen=True)
class Target:
    """A place that is written to or read from, and its options."""

    place: str | Path
    options: Mapping[str, Any] = field(default_factory=dict)
    text: bool = False
    """Whether it is a text file of any name, not a table."""
    folder: bool = False
    """Whether it is a folder of files, as Spark writes them."""
    source: bool = False
    """Whether it is a folder or a pattern of files that are read."""


def check_target(target: Target) -> None:
    """Raise an error unless the target can be written, as far as can be known in advance."""
    if target.folder:
        refuse_filled(expand_home(target.place))
        return
    if target.text:
        _check_file(expand_home(target.place))
        return
    known = writable_format(target.place, None)
    options = cast("WriteOptions", {k: v for k, v in target.options.items() if v is not None})
    check_write_options(known, options)
    if known.exists is None:
        _check_file(Path(place_of(target.place, known)))
        return
    address = Address.of(place_of(target.place, known), options.get("table"), None, known.name)
    if not address.on_server:
        _check_file(Path(address.database))
    fate_of(address, options, exists=known.exists(address))


def refuse_filled(path: Path) -> None:
    """Raise an error unless a new folder can be there: nothing, or an empty folder, is now."""
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise FileError("{path} exists already and is not empty: name a new folder.", path=path)
    if not path.absolute().parent.is_dir():
        raise FileError("{path}: its folder does not exist. Create it first.", path=path)
    _check_access(path, path.absolute().parent)


def _check_file(path: Path) -> None:
    """Raise an error unless a file can be there and its folder is writable."""
    _check_access(path, writable(path).parent)


def _check_access(path: Path, folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FileError(
            "{path} cannot be written: you may not write there. The previous content is unchanged.",
            path=path,
        )


def same_place(one: Target, other: Target) -> bool:
    """Whether two places are the same: a path, a link to it, or a table of one database."""
    first, second = _address(one), _address(other)
    if any(address is not None and address.on_server for address in (first, second)):
        return first is not None and second is not None and _same_on_server(first, second)
    places = _path(one, first), _path(other, second)
    same = _same_file(*places) or _holds(one, *places) or _holds(other, *reversed(places))
    if not same or first is None or second is None:
        return same
    return _same_table(first, second)


def _same_on_server(first: Address, second: Address) -> bool:
    """Whether two addresses mean one table, as spelled or as the servers themselves say."""
    if first.server == second.server and _same_table(first, second):
        return True
    if first.engine != second.engine:
        return False
    keys = format_of(first.shown, first.engine).keys
    return keys is not None and bool(keys(first) & keys(second))


def _same_table(first: Address, second: Address) -> bool:
    """Whether both are the same table, as far as is known; a query may read any it mentions."""
    for one, other in ((first, second), (second, first)):
        if one.query is not None:
            # In whatever schema, and however the query quotes it.
            return other.table is None or _bare(other.table).split(".")[-1] in one.query.casefold()
    names = [_meant_table(address) for address in (first, second)]
    return None in names or names[0] == names[1]


def _meant_table(address: Address) -> str | None:
    """The table in question, even if it is not named because it is the only one."""
    if address.table is not None:
        return _bare(address.table)
    known = format_of(address.shown, address.engine)
    there = known.tables(address) if known.tables is not None else []
    return _bare(there[0]) if len(there) == 1 else None


def _bare(table: str) -> str:
    return table.removeprefix("public.").removeprefix("main.").casefold()


def _path(target: Target, address: Address | None) -> Path:
    if address is not None:
        return Path(address.database)
    return expand_home(target.place)


def _address(target: Target) -> Address | None:
    """The database that a place names; None for a file."""
    if target.text or target.folder:
        return None
    known = format_of(target.place)
    if not known.database:
        return None
    table, query = target.options.get("table"), target.options.get("query")
    return Address.of(place_of(target.place, known), table, query, known.name)


def _holds(target: Target, folder: Path, inside: Path) -> bool:
    """Whether a place is a folder, or a pattern, with another path in it."""
    if target.source:
        return would_hold(folder, inside)
    return target.folder and folder.resolve() in inside.resolve().parents


def _same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, following hard and symbolic links."""
    try:
        if one.samefile(other):
            return True
    except OSError:
        pass
    return one.resolve() == other.resolve()
