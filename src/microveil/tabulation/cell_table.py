"""One table among the cells of several."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Flags, Longs
from microveil.tabulation.dimensions import Dimension
from microveil.tabulation.tabulation import MISSING, Tabulation

EVERYTHING = -1
"""The node of a variable's total, and of every variable that a table does not show."""


@dataclass(frozen=True, eq=False)
class CellTable:
    """One table: its dimensions, and where its cells stand among all cells."""

    tabulation: Tabulation
    dimensions: tuple[Dimension, ...]
    nodes: pl.DataFrame
    """The node of each of its cells, one column per variable, totals as ``EVERYTHING``."""
    cells: Longs
    """Their numbers among the cells of all tables."""

    def codes_at(self, row: int) -> str:
        """A cell of the table by its codes."""
        nodes = self.nodes.row(row)
        return " × ".join(
            code_of(dimension, node) for dimension, node in zip(self.dimensions, nodes, strict=True)
        )

    def rows_of(self, codes: dict[str, str]) -> Longs:
        """The cells with these codes; a variable that is not named is at its total."""
        found = np.ones(len(self.cells), dtype=np.bool_)
        for dimension in self.dimensions:
            node = dimension.node_of(codes.get(dimension.name, dimension.codes[0]))
            wanted = EVERYTHING if node == dimension.total else node
            found &= self.nodes[dimension.name].to_numpy() == wanted
        return np.flatnonzero(found)

    def with_missing_codes(self) -> Flags:
        """Which cells have the code of missing values."""
        found = np.zeros(len(self.cells), dtype=np.bool_)
        for dimension in self.dimensions:
            if MISSING in dimension.codes:
                node = dimension.node_of(MISSING)
                found |= self.nodes[dimension.name].to_numpy() == node
        return found


def code_of(dimension: Dimension, node: int) -> str:
    """The first code of a node."""
    wanted = dimension.total if node == EVERYTHING else node
    return dimension.codes[int(np.flatnonzero(dimension.nodes == wanted)[0])]
