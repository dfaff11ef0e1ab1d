"""What a figure compares: a release with its original, or any two tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from microveil.errors import InputError
from microveil.pairs.alignment import common_columns
from microveil.release import Release
from microveil.tables import Table, as_table
from microveil.tables.roles import check_columns


def pair_of(first: Any, second: Any = None) -> tuple[Table, Table]:
    """Original and released table, from a release or from two frames."""
    if isinstance(first, Release):
        if second is not None:
            raise InputError("A Release includes its original: pass the release alone.")
        return first.original, first.table
    if second is None:
        raise InputError("Pass a Release, or the original and the released frame.")
    return as_table(first), as_table(second)


def shared_columns(original: Table, released: Table, columns: Sequence[str]) -> list[str]:
    """The named columns, or all that both tables have."""
    if not columns:
        return common_columns(original, released)
    check_columns(columns, original.columns)
    check_columns(columns, released.columns)
    return list(columns)
