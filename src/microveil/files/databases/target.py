"""Target: what happens to a table that already exists in a database."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from microveil.errors import FileError
from microveil.files.databases.address import Address, quoted_name
from microveil.files.options import WriteOptions
from microveil.texts import join_and, phrase

Fate = Literal["make", "replace", "append"]


def fate_of(address: Address, options: WriteOptions, *, exists: bool) -> Fate:
    """Whether the table is new, replaces an old one, or is appended to one.

    An existing table is touched only on explicit request.
    """
    replace, append = bool(options.get("replace")), bool(options.get("append"))
    if replace and append:
        raise FileError("A table is either replaced or appended to. Choose one.")
    if not exists:
        return "make"
    if not replace and not append:
        raise FileError(
            "{shown} already has a table '{target}'. Use replace (--replace) to overwrite "
            "it, append (--append) to add to it, or name another table.",
            shown=address.shown,
            target=address.target(),
        )
    return "replace" if replace else "append"


def holds(there: Iterable[str], table: str) -> bool:
    """Whether a database file has a table; such databases do not distinguish letter case."""
    return table.casefold() in {name.casefold() for name in there}


def check_columns(address: Address, there: Sequence[str], written: Sequence[str]) -> None:
    """Refuse rows for a table with other columns."""
    lacking = [name for name in written if name not in there]
    further = [name for name in there if name not in written]
    if lacking or further:
        what = [phrase("it lacks {lacking:quoted}", lacking=lacking)] if lacking else []
        what += [phrase("it also has {further:quoted}", further=further)] if further else []
        raise FileError(
            "{shown}: rows cannot be added to table '{target}': {what}. Write the same "
            "columns, or name another table.",
            shown=address.shown,
            target=address.target(),
            what=join_and(what),
        )


def split_name(address: Address, table: str) -> tuple[str | None, str]:
    """The schema, if one is named, and the table; a name of more parts could mean another one.

    >>> split_name(Address("duckdb", "a.duckdb"), "survey.people")
    ('survey', 'people')
    """
    *outer, name = table.split(".")
    if len(outer) > 1 or not name or "" in outer:
        raise FileError(
            "{shown}: '{table}' cannot be written. Name a table as TABLE or SCHEMA.TABLE.",
            shown=address.shown,
            table=table,
        )
    return (outer[0] if outer else None), name


def lost_with(kinds: Mapping[str, int]) -> list[str]:
    """What goes with a table that is replaced, in a sentence; nothing if nothing does.

    >>> lost_with({"index": 2, "trigger": 1})
    ['The table that was replaced took with it: 2 indexes, 1 trigger.']
    """
    many = {"index": "indexes"}
    told = [
        f"{n} {kind}" if n == 1 else f"{n} {many.get(kind, f'{kind}s')}"
        for kind, n in kinds.items()
        if n
    ]
    return [f"The table that was replaced took with it: {', '.join(told)}."] if told else []


def scratch_name() -> str:
    """A quoted name for a table that is filled before it is renamed."""
    return quoted_name(f"microveil_partial_{secrets.token_hex(4)}")


def settle(
    execute: Callable[[str], object], fate: Fate, scratch: str, target: str, columns: Sequence[str]
) -> None:
    """Give a filled scratch table its name, or add its rows to the existing table.

    Names are quoted, the target's after its schema, if it has one. Only a table that is to be
    replaced is dropped: where the database finds another under the new name, it refuses.
    """
    if fate == "append":
        names = column_list(columns)
        execute(f"INSERT INTO {target} ({names}) SELECT {names} FROM {scratch}")  # noqa: S608 - names are quoted
        execute(f"DROP TABLE {scratch}")
        return
    if fate == "replace":
        execute(f"DROP TABLE IF EXISTS {target}")
    execute(f"ALTER TABLE {scratch} RENAME TO {_own_name(target)}")


def _own_name(target: str) -> str:
    """The last of a quoted table's names.

    >>> _own_name('"s"."my ""t"" . u"')
    '"my ""t"" . u"'
    """
    found = re.search(r'"(?:[^"]|"")*"$', target)
    return target if found is None else found[0]


def column_list(names: Sequence[str]) -> str:
    """Column names for a statement."""
    return ", ".join(quoted_name(name) for name in names)
