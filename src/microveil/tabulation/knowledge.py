"""What everybody knows of cells before a table is published: bounds from what was released."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from microveil.arrays import Flags, Floats
from microveil.tables.values import as_text
from microveil.tabulation.cell_table import EVERYTHING, CellTable
from microveil.tabulation.cells import Cells
from microveil.tabulation.dimensions import Dimension


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Bounds of each cell that anyone knows."""

    floor: Floats
    ceiling: Floats

    @classmethod
    def of(cls, cells: Cells) -> Knowledge:
        """Nothing is known but that sums of positive contributions are not negative."""
        n = cells.n_cells
        floor = np.full(n, -np.inf) if cells.signed else np.zeros(n)
        return cls(floor, np.full(n, np.inf))

    def with_records(self, cells: Cells, released: pl.DataFrame) -> Knowledge:
        """What true records that were released tell: who is in a cell at least, and at most.

        A released value is a code of the table or of its hierarchy; any other value, or none, tells
        nothing. Who may be in a cell bounds its count from above if every record was released.
        """
        floor, ceiling = self.floor.copy(), self.ceiling.copy()
        for table in cells.tables:
            if table.tabulation.weight is not None or table.tabulation.cells is not None:
                continue
            counts = table.tabulation.shown_statistic == "count"
            sure, possible = _compatible(table, released)
            if counts:
                floor[table.cells] = np.maximum(floor[table.cells], sure)
                if released.height >= int(cells.n_records.max(initial=0)):
                    ceiling[table.cells] = np.minimum(ceiling[table.cells], possible)
        return replace(self, floor=floor, ceiling=ceiling)


def _compatible(table: CellTable, released: pl.DataFrame) -> tuple[Floats, Floats]:
    """How many released records are surely in each cell, and how many may be."""
    known = [dimension for dimension in table.dimensions if dimension.name in released.columns]
    columns = {
        dimension.name: _nodes_of(dimension, released[dimension.name]) for dimension in known
    }
    if not columns:
        n = float(released.height)
        total = np.array([set(row) == {EVERYTHING} for row in table.nodes.iter_rows()])
        return np.where(total, n, 0.0), np.full(len(table.cells), n)
    groups = pl.DataFrame(columns).group_by(list(columns)).len()
    weights = groups["len"].to_numpy().astype(np.float64)
    inside = {one.name: _leaf_sets(one) for one in known}
    sure, possible = np.zeros(len(table.cells)), np.zeros(len(table.cells))
    for row, nodes in enumerate(table.nodes.iter_rows(named=True)):
        within = np.ones(len(weights), dtype=np.bool_)
        touching = within.copy()
        for dimension in table.dimensions:
            node = nodes[dimension.name]
            if node == EVERYTHING:
                continue
            if dimension.name not in columns:
                within[:] = False
                continue
            a, b = _relation(inside[dimension.name], groups[dimension.name].to_numpy(), node)
            within &= a
            touching &= b
        sure[row], possible[row] = weights[within].sum(), weights[touching].sum()
    return sure, possible


def _nodes_of(dimension: Dimension, column: pl.Series) -> pl.Series:
    """The node of each released value; the total where it tells nothing."""
    known = dict(zip(dimension.codes, dimension.nodes.tolist(), strict=True))
    texts = pl.Series(as_text(column))
    return texts.replace_strict(known, default=dimension.total, return_dtype=pl.Int64)


def _leaf_sets(dimension: Dimension) -> dict[int, frozenset[int]]:
    """The leaves below each node."""
    found: dict[int, set[int]] = {}
    for leaf, chain in enumerate(dimension.chains):
        for node in chain:
            found.setdefault(node, set()).add(leaf)
    return {node: frozenset(leaves) for node, leaves in found.items()}


def _relation(
    sets: dict[int, frozenset[int]], values: np.ndarray, node: int
) -> tuple[Flags, Flags]:
    """Whether each released node lies within a node, and whether it can."""
    mine = sets[node]
    within = {value: sets[value] <= mine for value in set(values.tolist())}
    touching = {value: bool(sets[value] & mine) for value in within}
    return (
        np.array([within[value] for value in values.tolist()]),
        np.array([touching[value] for value in values.tolist()]),
    )
