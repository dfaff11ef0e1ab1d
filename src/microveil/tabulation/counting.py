"""Cells counted from records: contributors, totals and the largest contributions.

Where each record is a contributor of its own, cells are added up from the finest ones: work and
memory grow with the cells, not with records × margins. Named contributors may be in several cells
of one sum, so that each margin has to look at them again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.tables import Table
from microveil.tabulation.counted import KEY_SCALE, N_LARGEST, Counted, pad_lists
from microveil.tabulation.dimensions import Dimension
from microveil.tabulation.records import (
    COST,
    KEY,
    PERSON,
    ROWS,
    SHOWN,
    SIZE,
    SUM_KEY,
    VALUE,
    WAIVED,
    WEIGHT,
    has_named_contributors,
    records_of,
)
from microveil.tabulation.tabulation import Tabulation

_ADDED = (SHOWN, SIZE, KEY, SUM_KEY, ROWS, COST)
_BY_PERSON = (
    pl.col(VALUE, *_ADDED).sum(),
    pl.col(WEIGHT).max(),
    pl.col(WAIVED).all(),
)
_TOP = "__top"
_BY_CELL = (
    pl.len().cast(pl.Int64).alias("__n"),
    pl.col(*_ADDED).sum(),
    pl.col(WAIVED).sum().cast(pl.Int64),
    pl.col(PERSON).min(),
)


def count_cells(
    table: Table,
    tabulation: Tabulation,
    dimensions: Sequence[Dimension],
    record_keys: Longs | None = None,
) -> Counted:
    """Count a table with all its margins."""
    records = records_of(table, tabulation, dimensions, record_keys)
    names = [dimension.name for dimension in dimensions]
    if has_named_contributors(table, tabulation):
        return _count_named(records, names, dimensions)
    return _count_records(records, names, dimensions, counts=tabulation.shown_statistic == "count")


def _count_named(
    records: pl.DataFrame, names: list[str], dimensions: Sequence[Dimension]
) -> Counted:
    """Cells of contributors who may have several records."""
    long = records.group_by([*names, PERSON], maintain_order=True).agg(_BY_PERSON).lazy()
    for dimension in dimensions:
        long = _expand(long, dimension).group_by([*names, PERSON]).agg(_BY_PERSON)
    cells = long.group_by(names).agg(*_BY_CELL, _largest()).sort(names).collect()
    return _as_counted(cells, names)


def _count_records(
    records: pl.DataFrame, names: list[str], dimensions: Sequence[Dimension], *, counts: bool
) -> Counted:
    """Cells of records that are contributors each: sums of the finest cells."""
    finest = records.lazy().group_by(names).agg(*_BY_CELL)
    tops = records.lazy().group_by(names).agg(_largest()) if not counts else None
    again = [pl.col("__n", *_ADDED, WAIVED).sum(), pl.col(PERSON).min()]
    for dimension in dimensions:
        finest = _expand(finest, dimension).group_by(names).agg(again)
        if tops is not None:
            long = _expand(tops.explode(_TOP), dimension).unnest(_TOP)
            tops = long.group_by(names).agg(_largest())
    cells = finest.sort(names).collect()
    if tops is not None:
        cells = cells.join(tops.collect(), on=names, how="left", maintain_order="left")
    return _as_counted(cells, names)


def _expand(long: pl.LazyFrame, dimension: Dimension) -> pl.LazyFrame:
    """Each row once for each of the nodes above its leaf."""
    leaves, nodes = dimension.pairs()
    pairs = pl.LazyFrame({dimension.name: leaves, "__node": nodes})
    return (
        long.join(pairs, on=dimension.name).drop(dimension.name).rename({"__node": dimension.name})
    )


def _largest() -> pl.Expr:
    """The largest contributions with their weights; ties in an order of their own."""
    order = [pl.col(VALUE).abs(), pl.col(WEIGHT), pl.col(PERSON)]
    top = pl.struct(VALUE, WEIGHT, WAIVED, PERSON)
    return top.sort_by(order, descending=[True, True, False]).head(N_LARGEST).alias(_TOP)


def _as_counted(cells: pl.DataFrame, names: list[str]) -> Counted:
    n = cells["__n"].to_numpy()
    if _TOP in cells.columns:
        largest, weights = pad_lists(cells[_TOP], cells.height, VALUE, WEIGHT)
        first = cells[_TOP].list.first().struct
        top, top_waived = first.field(PERSON).to_numpy(), first.field(WAIVED).to_numpy()
    else:  # a count: everyone adds one, with the mean of the weights
        largest = (np.arange(N_LARGEST) < n[:, None]).astype(np.float64)
        weights = np.repeat((cells[SHOWN].to_numpy() / n)[:, None], N_LARGEST, axis=1)
        top, top_waived = cells[PERSON].to_numpy(), cells[WAIVED].to_numpy() == n
    alone = largest[:, 0] * weights[:, 0] >= cells[SIZE].to_numpy() * (1 - 1e-12)
    return Counted(
        cells.select(names),
        n,
        cells[ROWS].to_numpy(),
        cells[SHOWN].to_numpy().astype(np.float64),
        cells[SIZE].to_numpy().astype(np.float64),
        largest,
        weights,
        np.where(n == 1, cells[PERSON].to_numpy(), -1),
        np.where((n == 1) | (alone & (largest[:, 0] > 0)), top, -1),
        cells[KEY].to_numpy() % KEY_SCALE,
        cells[SUM_KEY].to_numpy() % KEY_SCALE,
        cells[COST].to_numpy().astype(np.float64),
        cells[WAIVED].to_numpy(),
        np.asarray(top_waived),
    )
