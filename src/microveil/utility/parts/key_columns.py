"""The columns used by generalisation measures, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.hierarchies import Hierarchy, HierarchyBuilder
from microveil.labels.covering import Covering, covering
from microveil.labels.notation import is_star
from microveil.pairs.alignment import align, common_columns
from microveil.tables import Table
from microveil.tables.roles import check_columns


class KeyColumn(NamedTuple):
    """One column before and after."""

    name: str
    original: pl.Series
    released: pl.Series | None
    """None if the release lacks the column: then nothing of it is left."""
    paired: pl.Series | None
    """The original's cells row by row beside the released ones, if rows are paired."""
    hierarchy: Hierarchy | None
    read: Covering | None = None
    """What its labels cover, where the steps that made them tell."""
    coded: bool = False
    """Whether released numbers are labels of a hierarchy, such as 40 for 40 to 49."""

    def covering(self, *, strangers: bool = False) -> Covering:
        """What the released labels cover; with ``strangers`` some may cover nothing."""
        if self.read is not None and self.hierarchy is None:
            return self.read
        released = self.original.clear() if self.released is None else self.released
        return covering(
            self.original,
            released,
            paired=self.paired,
            hierarchy=self.hierarchy,
            meant=self.read,
            strangers=strangers,
        )


def key_columns(
    original: Table,
    released: Table,
    columns: tuple[str, ...],
    hierarchies: Mapping[str, HierarchyBuilder],
    *,
    paired: bool,
) -> list[KeyColumn]:
    """The named columns, otherwise the quasi-identifiers, otherwise all common columns.

    A key missing from the release counts as fully generalised.
    """
    names = columns or original.roles.quasi_identifiers or plain_columns(original, released)
    check_columns(names, original.columns)
    beside = align(original, released) if paired else None
    there = set(released.columns)
    return [
        KeyColumn(
            name,
            original.frame[name],
            released.frame[name] if name in there else None,
            beside.frame[name] if beside is not None and name in there else None,
            hierarchies[name].build(original.frame[name]) if name in hierarchies else None,
        )
        for name in names
    ]


def plain_columns(original: Table, released: Table) -> tuple[str, ...]:
    """Common columns that hold no lists or structs."""
    return tuple(
        name
        for name in common_columns(original, released)
        if not any(
            table.frame[name].dtype.is_nested() or table.frame[name].dtype == pl.Object
            for table in (original, released)
        )
    )


def n_removed(original: Table, released: Table) -> int:
    """Records of the original that are missing from the release."""
    return max(original.height - released.height, 0)


def silent(column: pl.Series) -> NDArray[np.bool_]:
    """Cells that carry no information: missing, or ``*``."""
    if column.dtype.is_numeric() or column.dtype.is_temporal() or column.dtype == pl.Boolean:
        return column.is_null().to_numpy()
    return (column.is_null() | is_star(column).fill_null(False)).to_numpy()
