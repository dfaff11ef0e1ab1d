"""Cells read from a table that is already aggregated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import ColumnError, HierarchyError, InputError
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text
from microveil.tabulation.counting import N_LARGEST, Counted
from microveil.tabulation.dimensions import MISSING, Dimension
from microveil.tabulation.tabulation import CellColumns, Tabulation


def read_cells(
    frame: pl.DataFrame, tabulation: Tabulation, dimensions: Sequence[Dimension]
) -> Counted:
    """The cells of an aggregated table: one row per cell, totals included."""
    columns = tabulation.cells
    if columns is None:
        raise TypeError("read_cells takes a tabulation with `cells`")
    named = [columns.count, *columns.largest, *([columns.total] if columns.total else [])]
    check_columns([*tabulation.by, *named], frame.columns)
    nodes = pl.DataFrame(
        {dimension.name: _nodes(frame[dimension.name], dimension) for dimension in dimensions}
    )
    twice = nodes.is_duplicated()
    if twice.any() and _differ(frame, nodes, columns):
        msg = f"Table '{tabulation.title}': {int(twice.sum()):,} rows describe a cell twice."
        raise InputError(msg)
    first = nodes.with_row_index("__row").unique(tabulation.by, keep="first", maintain_order=True)
    rows = first["__row"].to_numpy()
    n = _numbers(frame, columns.count)[rows].astype(np.int64)
    totals = _numbers(frame, columns.total or columns.count)[rows]
    largest = np.zeros((len(rows), max(N_LARGEST, len(columns.largest))))
    for place, name in enumerate(columns.largest):
        largest[:, place] = np.abs(_numbers(frame, name)[rows])
    filled = np.flatnonzero(n > 0)
    return Counted(
        first.select(tabulation.by)[filled],
        n[filled],
        n[filled],
        totals[filled],
        largest[filled],
        np.ones_like(largest)[filled],
        # Each cell with one contributor may be another's: who they are is not known here.
        np.where(n[filled] == 1, np.arange(len(filled)), -1),
        np.zeros(len(filled), dtype=np.int64),
    )


def _nodes(series: pl.Series, dimension: Dimension) -> Longs:
    known = dict(zip(dimension.codes, dimension.nodes.tolist(), strict=True))
    texts = pl.Series(as_text(series)).fill_null(MISSING)
    found = texts.replace_strict(known, default=-1, return_dtype=pl.Int64).to_numpy()
    if (found < 0).any():
        code = texts.filter(pl.Series(found < 0))[0]
        msg = (
            f"Column '{dimension.name}' has the code '{code}', which is not in the hierarchy of "
            "the table."
        )
        raise HierarchyError(msg)
    return found


def _differ(frame: pl.DataFrame, nodes: pl.DataFrame, columns: CellColumns) -> bool:
    """Whether two rows of one cell say different things; a code and its only part do not."""
    shown = [columns.count, *columns.largest, *([columns.total] if columns.total else [])]
    both = nodes.hstack(frame.select(shown).rename({name: f"__{name}" for name in shown}))
    return both.unique().height > nodes.unique().height


def _numbers(frame: pl.DataFrame, name: str) -> Floats:
    column = frame[name]
    if not column.dtype.is_numeric():
        msg = f"Column '{name}' is not numeric."
        raise ColumnError(msg)
    numbers = column.cast(pl.Float64).to_numpy()
    if not np.isfinite(numbers).all():
        msg = f"Column '{name}' has missing or infinite values: every cell needs a number."
        raise ColumnError(msg)
    return numbers
