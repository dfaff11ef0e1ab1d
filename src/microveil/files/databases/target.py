"""Target: what happens to a table that already exists in a database."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from typing import Literal

from microveil.errors import FileError, quoted
from microveil.files.databases.address import Address, quoted_name
from microveil.files.options import WriteOptions

Fate = Literal["make", "replace", "append"]


def fate_of(
    address: Address, there: Sequence[str], options: WriteOptions, *, by_case: bool = False
) -> Fate:
    """Whether the table is new, replaces an old one, or is appended to one.

    An existing table is touched only on explicit request.
    """
    replace, append = bool(options.get("replace")), bool(options.get("append"))
    if replace and append:
        raise FileError("A table is either replaced or appended to. Choose one.")
    if not holds(there, address.target(), by_case=by_case):
        return "make"
    if not replace and not append:
        raise FileError(
            f"{address.shown} already has a table '{address.target()}'. Use replace (--replace) to "
            "overwrite it, append (--append) to add to it, or name another table."
        )
    return "replace" if replace else "append"


def holds(there: Sequence[str], table: str, *, by_case: bool = False) -> bool:
    """Whether a table exists; only servers distinguish upper and lower case."""
    return table in there if by_case else table.casefold() in {name.casefold() for name in there}


def check_columns(address: Address, there: Sequence[str], written: Sequence[str]) -> None:
    """Refuse rows for a table with other columns."""
    lacking = [name for name in written if name not in there]
    further = [name for name in there if name not in written]
    if lacking or further:
        what = [f"it lacks {quoted(lacking)}"] if lacking else []
        what += [f"it also has {quoted(further)}"] if further else []
        raise FileError(
            f"{address.shown}: rows cannot be added to table '{address.target()}': "
            f"{' and '.join(what)}. Write the same columns, or name another table."
        )


def scratch_name() -> str:
    """A quoted name for a table that is filled before it is renamed."""
    return quoted_name(f"microveil_partial_{secrets.token_hex(4)}")


def settle(
    execute: Callable[[str], object], fate: Fate, scratch: str, target: str, columns: Sequence[str]
) -> None:
    """Give a filled scratch table its name, or add its rows to the existing table.

    Names are quoted, the target's after its schema, if it has one.
    """
    if fate == "append":
        names = listed(columns)
        execute(f"INSERT INTO {target} ({names}) SELECT {names} FROM {scratch}")  # noqa: S608 - names are quoted
        execute(f"DROP TABLE {scratch}")
        return
    execute(f"DROP TABLE IF EXISTS {target}")
    execute(f"ALTER TABLE {scratch} RENAME TO {_own_name(target)}")


def _own_name(target: str) -> str:
    """The last of a quoted table's names.

    >>> _own_name('"s"."my ""t"" . u"')
    '"my ""t"" . u"'
    """
    found = re.search(r'"(?:[^"]|"")*"$', target)
    return target if found is None else found[0]


def listed(names: Sequence[str]) -> str:
    """Column names for a statement."""
    return ", ".join(quoted_name(name) for name in names)
