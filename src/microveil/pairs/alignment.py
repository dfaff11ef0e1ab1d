"""Aligning a release with its original: common columns, and which row came from which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from microveil.errors import InputError
from microveil.tables.table import Table, as_table, table_inside
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.tables.roles import Roles


def released_table(released: Any, roles: Roles | None) -> Table:
    """The release with those roles whose columns it still has."""
    released = table_inside(released)
    if roles is None or isinstance(released, Table):
        return as_table(released)
    bare = Table(released)
    return bare.with_roles(roles.without(set(roles.named) - set(bare.columns)))


def align(original: Table, released: Table) -> Table:
    """Rows of the original that the release kept, in the order of the release."""
    if released.synthetic:
        raise InputError(
            Message(
                "pairs.synthetic_records_belong_nobody",
                "Synthetic records belong to nobody, so rows cannot be paired.",
            )
        )
    if released.rows is not None:
        return original.take(released.rows)
    if original.height != released.height:
        raise InputError(
            "The release has {n_records} rows and the original {n_records_2}, so rows cannot "
            "be paired. Compare before rows are dropped, or measure the Release.",
            n_records=released.height,
            n_records_2=original.height,
        )
    return original


def since(original: Table, before: Table, other: Table, after: Table) -> tuple[Table, Table, bool]:
    """Two states of one table as a pair, the second with its row link to the first.

    ``original`` and ``other`` are what each started with: the same data, or an error. The third
    value says whether rows can be linked: not if the second state has rows that the first lacks.
    """
    if original is not other and not original.frame.equals(other.frame):
        raise InputError(
            "The two drafts are of different data: one has {n_records} rows and {width} "
            "columns, the other {n_records_2} and {width_2}, and their cells differ. Compare "
            "tables with mv.compare instead.",
            n_records=original.height,
            width=original.frame.width,
            n_records_2=other.height,
            width_2=other.frame.width,
        )
    if before.synthetic or after.synthetic:
        return before.rebase(None), after.rebase(None), False
    if before.rows is None:
        return before.rebase(None), after.rebase(after.rows), True
    place = np.full(original.height, -1)
    place[before.rows] = np.arange(before.height)
    found = place if after.rows is None else place[after.rows]
    if (found < 0).any():
        return before.rebase(None), after.rebase(None), False
    return before.rebase(None), after.rebase(found), True


def common_columns(original: Table, released: Table) -> list[str]:
    """Columns that both tables have, in the original's order."""
    there = set(released.columns)
    return [name for name in original.columns if name in there]


def is_paired(original: Table, released: Table) -> bool:
    """Whether rows can be paired, by the row link or because both tables have as many rows."""
    return not released.synthetic and (
        released.rows is not None or original.height == released.height
    )
