"""Cells read from a table that is already aggregated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import ColumnError, HierarchyError, InputError
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text
from microveil.tabulation.counted import N_LARGEST, Counted
from microveil.tabulation.dimensions import Dimension
from microveil.tabulation.sources.records import cell_of
from microveil.tabulation.tabulation import MISSING, CellColumns, Tabulation


def read_cells(
    frame: pl.DataFrame, tabulation: Tabulation, dimensions: Sequence[Dimension]
) -> Counted:
    """The cells of an aggregated table: one row per cell, totals included."""
    columns = tabulation.cells
    if columns is None:
        raise TypeError("read_cells takes a tabulation with `cells`")
    check_columns([*tabulation.by, *_columns_of(columns)], frame.columns)
    nodes = pl.DataFrame(
        {dimension.name: _nodes(frame[dimension.name], dimension) for dimension in dimensions}
    )
    twice = nodes.is_duplicated()
    if twice.any() and _differ(frame, nodes, columns):
        raise InputError(
            "Table '{title}': {n:,} rows describe a cell twice, the first of them {cell}.",
            title=tabulation.title,
            n=int(twice.sum()),
            cell=cell_of(frame, tabulation.by, int(twice.arg_max() or 0)),
        )
    first = nodes.with_row_index("__row").unique(tabulation.by, keep="first", maintain_order=True)
    rows = first["__row"].to_numpy()
    n = _counts(frame, tabulation, columns.count)[rows]
    rows = rows[filled := np.flatnonzero(n > 0)]
    n = n[filled]
    totals = _numbers(frame, tabulation, columns.total or columns.count)[rows]
    largest = _largest(frame, tabulation, columns.largest, rows)
    return Counted(
        first.select(tabulation.by)[filled],
        n,
        n,
        totals,
        np.maximum(np.abs(totals), largest.sum(axis=1)),
        largest,
        np.ones_like(largest),
        # Each cell with one contributor may be another's: who they are is not known here.
        np.where(n == 1, np.arange(len(rows)), -1),
        np.where(n == 1, np.arange(len(rows)), -1),
        np.zeros(len(rows), dtype=np.int64),
        np.zeros(len(rows), dtype=np.int64),
        _numbers(frame, tabulation, columns.cost)[rows] if columns.cost else np.zeros(len(rows)),
        np.zeros(len(rows), dtype=np.int64),
        np.zeros(len(rows), dtype=np.bool_),
    )


def _columns_of(columns: CellColumns) -> list[str]:
    optional = [name for name in (columns.total, columns.cost) if name is not None]
    return [columns.count, *columns.largest, *optional]


def _counts(frame: pl.DataFrame, tabulation: Tabulation, name: str) -> Longs:
    n = _numbers(frame, tabulation, name)
    if (n != np.round(n)).any():
        raise ColumnError(
            "Column '{name}' has no whole number in cell {cell}: it counts contributors.",
            name=name,
            cell=cell_of(frame, tabulation.by, int(np.argmax(n != np.round(n)))),
        )
    if (n < 0).any():
        raise ColumnError(
            "Column '{name}' has a negative count in cell {cell}.",
            name=name,
            cell=cell_of(frame, tabulation.by, int(np.argmax(n < 0))),
        )
    return n.astype(np.int64)


def _nodes(series: pl.Series, dimension: Dimension) -> Longs:
    known = dict(zip(dimension.codes, dimension.nodes.tolist(), strict=True))
    texts = pl.Series(as_text(series)).fill_null(MISSING)
    found = texts.replace_strict(known, default=-1, return_dtype=pl.Int64).to_numpy()
    if (found < 0).any():
        raise HierarchyError(
            "Column '{name}' has the code '{code}', which is not in the hierarchy of the table.",
            name=dimension.name,
            code=texts.filter(pl.Series(found < 0))[0],
        )
    return found


def _differ(frame: pl.DataFrame, nodes: pl.DataFrame, columns: CellColumns) -> bool:
    """Whether two rows of one cell say different things; a code and its only part do not."""
    shown = _columns_of(columns)
    both = nodes.hstack(frame.select(shown).rename({name: f"__{name}" for name in shown}))
    return both.unique().height > nodes.unique().height


def _largest(
    frame: pl.DataFrame, tabulation: Tabulation, names: Sequence[str], rows: Longs
) -> Floats:
    """The largest contributions; one that is larger than the one before it is an error."""
    largest = np.zeros((len(rows), max(N_LARGEST, len(names))))
    for place, name in enumerate(names):
        largest[:, place] = np.abs(_numbers(frame, tabulation, name)[rows])
    wrong = (np.diff(largest, axis=1) > 0).any(axis=1)
    if wrong.any():
        raise InputError(
            "Table '{title}': the largest contributions of cell {cell} are not in order, the "
            "largest first.",
            title=tabulation.title,
            cell=cell_of(frame, tabulation.by, int(rows[np.argmax(wrong)])),
        )
    return largest


def _numbers(frame: pl.DataFrame, tabulation: Tabulation, name: str) -> Floats:
    column = frame[name]
    if not column.dtype.is_numeric():
        raise ColumnError("Column '{name}' is not numeric.", name=name)
    numbers = column.cast(pl.Float64).to_numpy()
    if not np.isfinite(numbers).all():
        raise ColumnError(
            "Column '{name}' has no number in cell {cell}: every cell needs one.",
            name=name,
            cell=cell_of(frame, tabulation.by, int(np.argmin(np.isfinite(numbers)))),
        )
    return numbers
