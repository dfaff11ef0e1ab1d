"""From data and tabulations to systems of cells, one for each family of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.hierarchies import build_hierarchy
from microveil.tables import Table
from microveil.tables.roles import check_columns
from microveil.tabulation.aggregated import read_cells
from microveil.tabulation.cells import Cells, join_tables
from microveil.tabulation.counted import Counted, fill_empty
from microveil.tabulation.counting import count_cells
from microveil.tabulation.dimensions import Dimension, Nodes, flat_rows, hierarchy_rows
from microveil.tabulation.tabulation import Tabulation


def build_cells(
    tables: Sequence[Table],
    tabulations: Sequence[Tabulation],
    record_keys: Sequence[Longs | None] | None = None,
    *,
    empty: bool = False,
) -> list[Cells]:
    """Count all tables; those that measure the same are one system.

    ``empty``: with the cells to which nobody contributes.
    """
    keys = record_keys or [None] * len(tables)
    families: dict[Any, list[int]] = {}
    for number, tabulation in enumerate(tabulations):
        families.setdefault(tabulation.family, []).append(number)
    return [
        _family(
            [tables[i] for i in members],
            [tabulations[i] for i in members],
            [keys[i] for i in members],
            empty=empty,
        )
        for members in families.values()
    ]


def _family(
    tables: Sequence[Table],
    tabulations: Sequence[Tabulation],
    keys: Sequence[Longs | None],
    *,
    empty: bool,
) -> Cells:
    nodes: dict[str, Nodes] = {}
    dimensions: list[tuple[Dimension, ...]] = []
    counted: list[Counted] = []
    for table, tabulation, own in zip(tables, tabulations, keys, strict=True):
        if not table.height:
            raise InputError("The table has no rows.")
        check_columns(tabulation.by, table.frame.columns)
        dims = tuple(_dimension(table.frame, tabulation, name, nodes) for name in tabulation.by)
        dimensions.append(dims)
        found = (
            count_cells(table, tabulation, dims, own)
            if tabulation.cells is None
            else read_cells(table.frame, tabulation, dims)
        )
        counted.append(fill_empty(found, dims) if empty else found)
    return join_tables(tabulations, dimensions, counted)


def _dimension(
    frame: pl.DataFrame, tabulation: Tabulation, name: str, nodes: dict[str, Nodes]
) -> Dimension:
    """The dimension of one variable: by its hierarchy, or each value below the total."""
    column, total = frame[name], tabulation.total_code
    known = nodes.setdefault(name, Nodes(name))
    given: Mapping[str, Any] = tabulation.hierarchies
    if name in given:
        rows = hierarchy_rows(build_hierarchy(given[name], column))
    else:
        rows = [row for row in flat_rows(column) if tabulation.cells is None or row != (total,)]
    return known.dimension(rows, total)
