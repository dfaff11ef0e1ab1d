"""The equations of several tables: each cell is the sum of the cells directly below it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.tabulation.cell_table import EVERYTHING, CellTable
from microveil.tabulation.dimensions import Dimension
from microveil.tabulation.system import System


def equations_of(tables: Sequence[CellTable], values: Floats) -> System:
    """The equations of all tables: a node is the sum of the nodes directly below it."""
    totals: list[Longs] = []
    rows: list[Longs] = []
    parts: list[Longs] = []
    n_known = 0
    seen: set[tuple[int, bytes]] = set()
    for table in tables:
        for dimension in table.dimensions:
            parents, children = sums_along(table, dimension)
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


def sums_along(table: CellTable, dimension: Dimension) -> tuple[Longs, Longs]:
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
    lower = known.rename({"__cell": "__part"}).join(steps, on=name, maintain_order="left")
    lower = lower.drop(name).rename({"__above": name})
    pairs = lower.join(known, on=list(table.nodes.columns), maintain_order="left")
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
