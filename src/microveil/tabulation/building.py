"""From data and tabulations to systems of cells, one for each family of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from microveil.errors import InputError
from microveil.hierarchies import build_hierarchy
from microveil.tables import Table
from microveil.tables.roles import check_columns
from microveil.tabulation.aggregated import read_cells
from microveil.tabulation.cells import Cells, join_tables
from microveil.tabulation.counted import Counted, fill_empty
from microveil.tabulation.counting import count_cells
from microveil.tabulation.dimensions import Dimension, Nodes, flat_rows, hierarchy_rows
from microveil.tabulation.sources.gathered import Gathered
from microveil.tabulation.sources.record_source import KeyReader, RecordSource, TableSource
from microveil.tabulation.tabulation import Tabulation


def build_cells(
    sources: Sequence[Table | RecordSource],
    tabulations: Sequence[Tabulation],
    keys: KeyReader | None = None,
    *,
    empty: bool = False,
) -> list[Cells]:
    """Count all tables; those that measure the same are one system.

    ``empty``: with the cells to which nobody contributes.
    """
    behind = [TableSource(one) if isinstance(one, Table) else one for one in sources]
    gathered = _gather(behind, tabulations, keys)
    families: dict[Any, list[int]] = {}
    for number, tabulation in enumerate(tabulations):
        families.setdefault(tabulation.family, []).append(number)
    return [
        _family([gathered[i] for i in members], [tabulations[i] for i in members], empty=empty)
        for members in families.values()
    ]


def _gather(
    sources: Sequence[RecordSource], tabulations: Sequence[Tabulation], keys: KeyReader | None
) -> list[Gathered | pl.DataFrame]:
    """The records of each table, or its rows where it is aggregated; each source is read once."""
    found: dict[int, Gathered | pl.DataFrame] = {}
    wanted: dict[int, list[int]] = {}
    for number, (source, tabulation) in enumerate(zip(sources, tabulations, strict=True)):
        if tabulation.cells is None:
            wanted.setdefault(id(source), []).append(number)
        elif isinstance(source, TableSource):
            found[number] = source.table.frame
        else:
            raise InputError("A table that is already aggregated is given as one frame.")
    for numbers in wanted.values():
        source = sources[numbers[0]]
        found |= zip(numbers, source.gather([tabulations[i] for i in numbers], keys), strict=True)
    return [found[number] for number in range(len(tabulations))]


def _family(
    behind: Sequence[Gathered | pl.DataFrame], tabulations: Sequence[Tabulation], *, empty: bool
) -> Cells:
    nodes: dict[str, Nodes] = {}
    dimensions: list[tuple[Dimension, ...]] = []
    counted: list[Counted] = []
    for given, tabulation in zip(behind, tabulations, strict=True):
        if not (given.n_records if isinstance(given, Gathered) else given.height):
            raise InputError("The table has no rows.")
        if not isinstance(given, Gathered):
            check_columns(tabulation.by, given.columns)
        dims = tuple(_dimension(given, tabulation, name, nodes) for name in tabulation.by)
        dimensions.append(dims)
        found = (
            count_cells(given, dims)
            if isinstance(given, Gathered)
            else read_cells(given, tabulation, dims)
        )
        counted.append(fill_empty(found, dims) if empty else found)
    return join_tables(tabulations, dimensions, counted)


def _dimension(
    given: Gathered | pl.DataFrame, tabulation: Tabulation, name: str, nodes: dict[str, Nodes]
) -> Dimension:
    """The dimension of one variable: by its hierarchy, or each value below the total."""
    known = nodes.setdefault(name, Nodes(name))
    hierarchies: Mapping[str, Any] = tabulation.hierarchies
    total = tabulation.total_code
    if name in hierarchies:
        source = hierarchies[name]
        # Only a hierarchy that looks at the whole column asks how often each code occurs.
        column = _column(given, name, repeated=not getattr(source, "row_wise", False))
        return known.dimension(hierarchy_rows(build_hierarchy(source, column)), total)
    aggregated = not isinstance(given, Gathered)
    rows = [row for row in flat_rows(_column(given, name)) if not aggregated or row != (total,)]
    return known.dimension(rows, total)


def _column(given: Gathered | pl.DataFrame, name: str, *, repeated: bool = False) -> pl.Series:
    return given.column(name, repeated=repeated) if isinstance(given, Gathered) else given[name]
