"""Cells counted from records: contributors, totals and the largest contributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import ColumnError
from microveil.tables import Table
from microveil.tables.roles import check_columns
from microveil.tabulation.dimensions import Dimension
from microveil.tabulation.tabulation import Tabulation

KEY_SCALE = 2**32
"""Record keys are whole numbers below this, so that sums are the same in any order."""
N_LARGEST = 5
"""How many of the largest contributions a cell keeps; rules look at the first few."""

_PERSON, _VALUE, _WEIGHT, _SHOWN = "__person", "__value", "__weight", "__shown"
_SUMS = (
    pl.col(_VALUE).sum(),
    pl.col(_SHOWN).sum(),
    pl.col(_WEIGHT).max(),
    pl.col("__key").sum(),
    pl.col("__rows").sum(),
)


@dataclass(frozen=True, eq=False)
class Counted:
    """The cells of one table that are not empty."""

    nodes: pl.DataFrame
    """One column per variable: the node of each cell."""
    n: Longs
    """Number of contributors."""
    n_records: Longs
    totals: Floats
    """The value that is published and adds up: weighted, if there are weights."""
    largest: Floats
    """The largest contributions of single contributors, unweighted, the largest first."""
    weights: Floats
    """Their sampling weights."""
    sole: Longs
    """The contributor of a cell that has only one, otherwise −1."""
    keys: Longs
    """Sum of the record keys, as whole numbers; zeros without record keys."""


def count_cells(
    table: Table,
    tabulation: Tabulation,
    dimensions: Sequence[Dimension],
    record_keys: Longs | None = None,
) -> Counted:
    """Count a table with all its margins."""
    records = _records(table, tabulation, dimensions)
    keys = np.zeros(table.height, dtype=np.int64) if record_keys is None else record_keys
    records = records.with_columns(pl.Series("__key", keys))
    names = [dimension.name for dimension in dimensions]
    long = records.group_by([*names, _PERSON], maintain_order=True).agg(_SUMS).lazy()
    for dimension in dimensions:
        leaves, nodes = dimension.pairs()
        pairs = pl.LazyFrame({dimension.name: leaves, "__node": nodes})
        long = (
            long.join(pairs, on=dimension.name)
            .drop(dimension.name)
            .rename({"__node": dimension.name})
            .group_by([*names, _PERSON])
            .agg(_SUMS)
        )
    return _count_cells(long, names)


def _count_cells(long: pl.LazyFrame, names: list[str]) -> Counted:
    top = pl.struct(_VALUE, _WEIGHT).sort_by(pl.col(_VALUE).abs(), descending=True)
    cells = (
        long.group_by(names)
        .agg(
            pl.len().alias("__n"),
            pl.col("__rows").sum(),
            pl.col(_SHOWN).sum().alias("__total"),
            pl.col("__key").sum(),
            top.head(N_LARGEST).alias("__top"),
            pl.col(_PERSON).min().alias("__sole"),
        )
        .sort(names)
        .collect()
    )
    n = cells["__n"].to_numpy().astype(np.int64)
    largest, weights = _pad_lists(cells["__top"], cells.height)
    return Counted(
        cells.select(names),
        n,
        cells["__rows"].to_numpy().astype(np.int64),
        cells["__total"].to_numpy().astype(np.float64),
        largest,
        weights,
        np.where(n == 1, cells["__sole"].to_numpy(), -1),
        cells["__key"].to_numpy() % KEY_SCALE,
    )


def _pad_lists(lists: pl.Series, height: int) -> tuple[Floats, Floats]:
    """The largest contributions and their weights as matrices, with zeros at the end."""
    long = pl.DataFrame({"cell": np.arange(height), "top": lists}).explode("top")
    long = long.with_columns(pl.int_range(pl.len()).over("cell").alias("place")).unnest("top")
    values, weights = np.zeros((height, N_LARGEST)), np.ones((height, N_LARGEST))
    at = long["cell"].to_numpy(), long["place"].to_numpy()
    values[at] = np.abs(long[_VALUE].to_numpy())
    weights[at] = long[_WEIGHT].to_numpy()
    return values, weights


def _records(table: Table, tabulation: Tabulation, dimensions: Sequence[Dimension]) -> pl.DataFrame:
    """One row per record: its leaves, its contributor, its value and its weight."""
    frame = table.frame
    named = [tabulation.value, tabulation.weight, tabulation.contributor]
    check_columns([name for name in named if name is not None], frame.columns)
    columns: dict[str, Any] = {
        dimension.name: dimension.leaf_numbers(frame[dimension.name]) for dimension in dimensions
    }
    weight = _numbers(frame, tabulation.weight) if tabulation.weight else np.ones(frame.height)
    if (weight < 0).any():
        msg = f"Column '{tabulation.weight}' has negative weights."
        raise ColumnError(msg)
    counted = tabulation.shown_statistic == "count" or tabulation.value is None
    value = np.ones(frame.height) if counted else _numbers(frame, tabulation.value)
    columns |= {_VALUE: value, _WEIGHT: weight, _SHOWN: value * weight, "__rows": 1}
    columns[_PERSON] = _contributors(table, tabulation)
    return pl.DataFrame(columns)


def _numbers(frame: pl.DataFrame, name: str | None) -> Floats:
    column = frame[str(name)]
    if not column.dtype.is_numeric():
        msg = f"Column '{name}' is not numeric, so it cannot be added up."
        raise ColumnError(msg)
    numbers = column.cast(pl.Float64).fill_null(0.0).to_numpy()
    if not np.isfinite(numbers).all():
        msg = f"Column '{name}' has infinite values, which cannot be added up."
        raise ColumnError(msg)
    return numbers


def _contributors(table: Table, tabulation: Tabulation) -> Longs:
    """A number for the contributor of each record."""
    name = tabulation.contributor
    if name is None:
        people = table.people
        return np.arange(table.height, dtype=np.int64) if people is None else people
    column = table.frame[name]
    if column.null_count():
        msg = (
            f"Column '{name}' is missing in {column.null_count():,} rows: every record needs its "
            "contributor."
        )
        raise ColumnError(msg)
    return column.rank("dense").cast(pl.Int64).to_numpy()
