"""The cells of several tables as one system: a cell that two tables show is one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import sparse

from microveil.arrays import Floats, Longs
from microveil.errors import InputError
from microveil.tabulation.counting import Counted
from microveil.tabulation.dimensions import Dimension
from microveil.tabulation.system import System
from microveil.tabulation.tabulation import Tabulation

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


@dataclass(frozen=True, eq=False)
class Cells:
    """All cells of one family of tables, with what rules need to know of them."""

    tables: tuple[CellTable, ...]
    system: System
    n: Longs
    """Number of contributors."""
    n_records: Longs
    largest: Floats
    weights: Floats
    sole: Longs
    """The contributor of a cell that has only one, otherwise −1."""
    keys: Longs
    """Sums of record keys, as whole numbers."""

    @property
    def values(self) -> Floats:
        """The true values."""
        return self.system.values

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return self.system.n_cells

    def codes_of(self, cell: int) -> str:
        """A cell by the codes of the first table that shows it."""
        for table in self.tables:
            found = np.flatnonzero(table.cells == cell)
            if found.size:
                row = table.nodes.row(int(found[0]))
                return " × ".join(
                    code_of(dimension, node)
                    for dimension, node in zip(table.dimensions, row, strict=True)
                )
        return "a cell"


def code_of(dimension: Dimension, node: int) -> str:
    """The first code of a node."""
    wanted = dimension.total if node == EVERYTHING else node
    return dimension.codes[int(np.flatnonzero(dimension.nodes == wanted)[0])]


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


def _join_tables(tables: tuple[CellTable, ...], counted: Sequence[Counted], n_cells: int) -> Cells:
    values = np.full(n_cells, np.nan)
    n, rows, sole, keys = (np.zeros(n_cells, dtype=np.int64) for _ in range(4))
    width = max(one.largest.shape[1] for one in counted)
    largest, weights = np.zeros((n_cells, width)), np.ones((n_cells, width))
    for table, one in zip(tables, counted, strict=True):
        at, k = table.cells, one.largest.shape[1]
        _check_equal(values[at], one.totals, table)
        values[at], n[at], rows[at], sole[at] = one.totals, one.n, one.n_records, one.sole
        keys[at] = one.keys
        largest[at, :k] = np.maximum(largest[at, :k], one.largest)
        weights[at, :k] = one.weights
    system = _system(tables, values)
    if any(table.tabulation.cells is not None for table in tables):
        sole = _same_contributors(system, sole)
    cells = Cells(tables, system, n, rows, largest, weights, sole, keys)
    _check_additive(cells)
    return cells


def _check_equal(known: Floats, new: Floats, table: CellTable) -> None:
    """Refuse tables that give one cell two values."""
    both = ~np.isnan(known)
    apart = both & (np.abs(known - new) > 1e-6 * np.maximum(1.0, np.abs(new)))
    if apart.any():
        row = table.nodes.row(int(np.flatnonzero(apart)[0]))
        codes = " × ".join(
            code_of(dimension, node) for dimension, node in zip(table.dimensions, row, strict=True)
        )
        msg = (
            f"Table '{table.tabulation.title}': {int(apart.sum()):,} cells have another value than "
            f"in an earlier table, the first of them {codes}."
        )
        raise InputError(msg)


def _check_additive(cells: Cells) -> None:
    gaps = cells.system.gaps()
    if gaps.size:
        row = cells.system.matrix[[int(gaps[0])]]
        total = int(row.indices[row.data < 0][0])
        msg = (
            f"{gaps.size:,} sums do not add up, the first of them {cells.codes_of(total)}: its "
            "parts differ from its total. Correct the table, or leave its totals out."
        )
        raise InputError(msg)


def _system(tables: Sequence[CellTable], values: Floats) -> System:
    """The equations of all tables: a node is the sum of the nodes directly below it."""
    totals: list[Longs] = []
    rows: list[Longs] = []
    parts: list[Longs] = []
    n_known = 0
    seen: set[tuple[int, bytes]] = set()
    for table in tables:
        for dimension in table.dimensions:
            parents, children = _sums(table, dimension)
            if len(tables) > 1:
                parents, children = _unseen(parents, children, seen)
            distinct, numbers = np.unique(parents, return_inverse=True)
            totals.append(distinct)
            rows.append(numbers + n_known)
            parts.append(children)
            n_known += len(distinct)
    return System.of_pairs(
        values, *(np.concatenate(some).astype(np.int64) for some in (totals, rows, parts))
    )


def _sums(table: CellTable, dimension: Dimension) -> tuple[Longs, Longs]:
    """Each cell with the cell directly above it along one dimension."""
    above = {
        low: (EVERYTHING if high == dimension.total else high)
        for low, high in dimension.steps().items()
    }
    name = dimension.name
    steps = pl.DataFrame(
        {name: list(above), "__above": list(above.values())},
        schema_overrides={name: pl.Int64, "__above": pl.Int64},
    )
    known = table.nodes.with_columns(pl.Series("__cell", table.cells))
    lower = known.rename({"__cell": "__part"}).join(steps, on=name).drop(name)
    pairs = lower.rename({"__above": name}).join(known, on=list(table.nodes.columns))
    return pairs["__cell"].to_numpy(), pairs["__part"].to_numpy()


def _unseen(parents: Longs, children: Longs, seen: set[tuple[int, bytes]]) -> tuple[Longs, Longs]:
    """The sums that no earlier table has stated."""
    order = np.lexsort((children, parents))
    parents, children = parents[order], children[order]
    starts = np.flatnonzero(np.diff(parents, prepend=-1))
    keep = np.zeros(len(parents), dtype=np.bool_)
    for start, end in zip(starts, np.append(starts[1:], len(parents)), strict=True):
        key = (int(parents[start]), children[start:end].tobytes())
        keep[start:end] = key not in seen
        seen.add(key)
    return parents[keep], children[keep]


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
