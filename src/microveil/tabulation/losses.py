"""What a protection cost, by level of the tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microveil.arrays import Longs
from microveil.tabulation.cell_table import EVERYTHING, CellTable
from microveil.tabulation.tables import ProtectedFamily, ProtectedTables


class LevelLoss(NamedTuple):
    """Cells of one level of a table: how many were left out, and what they hold."""

    table: str
    level: int
    """How many steps below the grand total its cells stand, over all variables."""
    n_cells: int
    n_suppressed: int
    value_share: float
    """Share of the level's value that is published."""


def losses_by_level(made: ProtectedTables) -> list[LevelLoss]:
    """The losses of every table, from its grand total to its finest cells."""
    return [loss for family, table in made.published_tables() for loss in _losses(family, table)]


def _losses(family: ProtectedFamily, table: CellTable) -> list[LevelLoss]:
    levels = _levels(table)
    hidden = family.hidden[table.cells]
    size = np.abs(family.cells.values[table.cells])
    found = []
    for level in np.unique(levels).tolist():
        here = levels == level
        whole = float(size[here].sum())
        share = float(size[here & ~hidden].sum() / whole) if whole else 1.0
        found.append(
            LevelLoss(
                table.tabulation.title, level, int(here.sum()), int((here & hidden).sum()), share
            )
        )
    return found


def _levels(table: CellTable) -> Longs:
    """How far below the grand total each cell stands."""
    levels = np.zeros(len(table.cells), dtype=np.int64)
    for dimension in table.dimensions:
        depth = {EVERYTHING: 0}
        for node, deep in zip(dimension.nodes.tolist(), dimension.depths, strict=True):
            if node != dimension.total:
                depth.setdefault(node, deep)
        levels += np.array([depth[node] for node in table.nodes[dimension.name].to_list()])
    return levels
