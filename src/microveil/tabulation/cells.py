"""The cells of several tables as one system: a cell that two tables show is one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import sparse

from microveil.arrays import Flags, Floats, Longs
from microveil.errors import InputError
from microveil.tabulation.cell_table import EVERYTHING, CellTable
from microveil.tabulation.counted import Counted
from microveil.tabulation.dimensions import Dimension
from microveil.tabulation.equations import equations_of
from microveil.tabulation.system import System
from microveil.tabulation.tabulation import Tabulation


@dataclass(frozen=True, eq=False)
class Cells:
    """All cells of one family of tables, with what rules need to know of them."""

    tables: tuple[CellTable, ...]
    system: System
    n: Longs
    """Number of contributors."""
    n_records: Longs
    sizes: Floats
    """Sums of absolute contributions: what a contribution is compared with."""
    largest: Floats
    weights: Floats
    sole: Longs
    """The contributor of a cell that has only one, otherwise −1."""
    whole: Longs
    """The contributor who adds all there is, while others add nothing; otherwise −1."""
    keys: Longs
    """Sums of record keys, as whole numbers."""
    sum_keys: Longs
    """The same of records that add something."""
    costs: Floats
    """What suppressing each cell costs by a column."""
    n_waived: Longs
    """Contributors who agreed to be published."""
    top_waived: Flags
    """Whether the largest contributor is one of them."""
    exempt: Flags
    """Cells that no rule finds unsafe: those of missing codes, where a table says so."""

    @property
    def values(self) -> Floats:
        """The true values."""
        return self.system.values

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return self.system.n_cells

    @property
    def signed(self) -> bool:
        """Whether contributions may be negative, so that no cell has a known floor."""
        return bool((self.values < 0).any() or (self.sizes > self.values * (1 + 1e-9) + 1e-9).any())

    def codes_of(self, cell: int) -> str:
        """A cell by the codes of the first table that shows it."""
        for table in self.tables:
            found = np.flatnonzero(table.cells == cell)
            if found.size:
                return table.codes_at(int(found[0]))
        return "a cell"


def join_tables(
    tabulations: Sequence[Tabulation],
    dimensions: Sequence[tuple[Dimension, ...]],
    counted: Sequence[Counted],
) -> Cells:
    """Find the cells that several tables share, and all sums that bind them."""
    variables = sorted({name for tabulation in tabulations for name in tabulation.by})
    frames = [
        _everywhere(one, dims, variables) for one, dims in zip(counted, dimensions, strict=True)
    ]
    distinct = pl.concat(frames).unique(maintain_order=True).with_row_index("__cell")
    numbers = [
        frame.join(distinct, on=variables, how="left", maintain_order="left")["__cell"]
        .to_numpy()
        .astype(np.int64)
        for frame in frames
    ]
    tables = tuple(
        CellTable(tabulation, dims, frame.select(tabulation.by), cells)
        for tabulation, dims, frame, cells in zip(
            tabulations, dimensions, frames, numbers, strict=True
        )
    )
    return _join_tables(tables, counted, distinct.height)


def _everywhere(
    counted: Counted, dimensions: Sequence[Dimension], variables: Sequence[str]
) -> pl.DataFrame:
    """The nodes of a table's cells, with a column for the variables that it does not show."""
    totals = {dimension.name: dimension.total for dimension in dimensions}
    return counted.nodes.select(
        (
            pl.when(pl.col(name) == totals[name])
            .then(EVERYTHING)
            .otherwise(pl.col(name))
            .cast(pl.Int64)
            .alias(name)
            if name in totals
            else pl.lit(EVERYTHING, dtype=pl.Int64).alias(name)
        )
        for name in variables
    )


_ONE_EACH = (
    "n", "n_records", "sizes", "sole", "whole", "keys", "sum_keys", "costs", "n_waived",
    "top_waived",
)  # fmt: skip
"""What each cell has one of."""


def _join_tables(tables: tuple[CellTable, ...], counted: Sequence[Counted], n_cells: int) -> Cells:
    values = np.full(n_cells, np.nan)
    width = max(one.largest.shape[1] for one in counted)
    largest, weights = np.zeros((n_cells, width)), np.ones((n_cells, width))
    numbers = {name: np.zeros(n_cells, dtype=getattr(counted[0], name).dtype) for name in _ONE_EACH}
    exempt = np.zeros(n_cells, dtype=np.bool_)
    for table, one in zip(tables, counted, strict=True):
        at, k = table.cells, one.largest.shape[1]
        _check_equal(values[at], one.totals, table)
        values[at] = one.totals
        for name, known in numbers.items():
            known[at] = getattr(one, name)
        largest[at, :k] = np.maximum(largest[at, :k], one.largest)
        weights[at, :k] = one.weights
        if table.tabulation.missing == "safe":
            exempt[at] |= table.with_missing_codes()
    system = equations_of(tables, values)
    if any(table.tabulation.cells is not None for table in tables):
        numbers["sole"] = _same_contributors(system, numbers["sole"])
        numbers["whole"] = numbers["sole"].copy()
    cells = Cells(tables, system, largest=largest, weights=weights, exempt=exempt, **numbers)
    _check_additive(cells)
    _check_contributors(cells)
    return cells


def _check_equal(known: Floats, new: Floats, table: CellTable) -> None:
    """Refuse tables that give one cell two values."""
    both = ~np.isnan(known)
    apart = both & (np.abs(known - new) > 1e-6 * np.maximum(1.0, np.abs(new)))
    if apart.any():
        raise InputError(
            "Table '{title}': {n:,} cells have another value than in an earlier table, the first "
            "of them {cell}.",
            title=table.tabulation.title,
            n=int(apart.sum()),
            cell=table.codes_at(int(np.flatnonzero(apart)[0])),
        )


def _check_contributors(cells: Cells) -> None:
    """Refuse a total with more contributors than its parts have together, or fewer than one."""
    parts = cells.system.matrix.tocoo()
    n, part = cells.n, parts.data > 0
    together = np.bincount(parts.row[part], n[parts.col[part]], cells.system.n_equations)
    totals = np.zeros(cells.system.n_equations, dtype=np.int64)
    totals[parts.row[~part]] = parts.col[~part]
    few = np.zeros(cells.system.n_equations, dtype=np.bool_)
    few[parts.row[part][n[parts.col[part]] > n[totals[parts.row[part]]]]] = True
    wrong = np.flatnonzero((n[totals] > together) | few)
    if wrong.size:
        raise InputError(
            "Cell {cell} cannot have as many contributors as the table says: its parts have fewer "
            "together, or one of them has more. Correct the table, or leave its totals out.",
            cell=cells.codes_of(int(totals[wrong[0]])),
        )


def _check_additive(cells: Cells) -> None:
    gaps = cells.system.gaps()
    if gaps.size:
        row = cells.system.matrix[[int(gaps[0])]]
        total = int(row.indices[row.data < 0][0])
        raise InputError(
            "1 sum does not add up, that of {cell}: its parts differ from its total. Correct the "
            "table, or leave its totals out.",
            many="{n:,} sums do not add up, the first of them {cell}: its parts differ from its "
            "total. Correct the table, or leave its totals out.",
            n=gaps.size,
            cell=cells.codes_of(total),
        )


def _same_contributors(system: System, sole: Longs) -> Longs:
    """One number for the only contributor of a total and of its part, where no name is known."""
    alone = np.where(sole >= 0, np.arange(len(sole)), -1)
    parts = system.matrix.tocoo()
    total_of = np.full(system.n_equations, -1)
    total_of[parts.row[parts.data < 0]] = parts.col[parts.data < 0]
    pairs = np.column_stack([total_of[parts.row], parts.col])[parts.data > 0]
    both = pairs[(sole[pairs] >= 0).all(axis=1)]
    graph = sparse.coo_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(len(sole),) * 2)
    same = sparse.csgraph.connected_components(graph, directed=False)[1]
    return np.where(alone >= 0, same, -1).astype(np.int64)
