"""Cells counted from records: contributors, totals and the largest contributions.

Where each record is a contributor of its own, cells are added up from the finest ones: work and
memory grow with the cells, not with records × margins. Named contributors may be in several cells
of one sum, so that each margin has to look at them again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.tabulation.counted import KEY_SCALE, N_LARGEST, Counted, pad_lists
from microveil.tabulation.dimensions import Dimension
from microveil.tabulation.sources.gathered import AGAIN, BY_CELL, BY_PERSON, Gathered, N
from microveil.tabulation.sources.records import (
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
)

_TOP = "__top"


def count_cells(gathered: Gathered, dimensions: Sequence[Dimension]) -> Counted:
    """Count a table with all its margins."""
    if gathered.named:
        return _count_named(gathered, dimensions)
    return _count_records(gathered, dimensions)


def _number_leaves(frame: pl.DataFrame, dimensions: Sequence[Dimension]) -> pl.DataFrame:
    """The rows with the leaf of each code, added up where two codes are written alike."""
    return frame.with_columns(
        pl.Series(dimension.name, dimension.leaf_numbers(frame[dimension.name]))
        for dimension in dimensions
    )


def _count_named(gathered: Gathered, dimensions: Sequence[Dimension]) -> Counted:
    """Cells of contributors who may have several records."""
    names = [dimension.name for dimension in dimensions]
    number = pl.col(PERSON).rank("dense").cast(pl.Int64).fill_null(0)
    long = _number_leaves(gathered.sums.with_columns(number), dimensions)
    long = long.group_by([*names, PERSON], maintain_order=True).agg(BY_PERSON)
    for dimension in dimensions:
        groups = _expand(long, dimension).group_by([*names, PERSON], maintain_order=True)
        long = groups.agg(BY_PERSON)
    cells = long.group_by(names, maintain_order=True).agg(*BY_CELL, _largest())
    return _as_counted(cells.sort(names), names)


def _count_records(gathered: Gathered, dimensions: Sequence[Dimension]) -> Counted:
    """Cells of records that are contributors each: sums of the finest cells."""
    names = [dimension.name for dimension in dimensions]
    finest = _number_leaves(gathered.sums, dimensions)
    tops = None
    if gathered.largest is not None:
        rows = _number_leaves(gathered.largest, dimensions)
        tops = rows.group_by(names).agg(_largest())
    for dimension in dimensions:
        finest = _expand(finest, dimension).group_by(names, maintain_order=True).agg(AGAIN)
        if tops is not None:
            long = _expand(tops.explode(_TOP), dimension).unnest(_TOP)
            tops = long.group_by(names).agg(_largest())
    cells = finest.sort(names)
    if tops is not None:
        cells = cells.join(tops, on=names, how="left", maintain_order="left")
    return _as_counted(cells, names)


def _expand(long: pl.DataFrame, dimension: Dimension) -> pl.DataFrame:
    """Each row once for each of the nodes above its leaf.

    Rows stay in order, here and in groups, and each step is taken by itself: a sum of broken
    numbers depends on their order in its last digit, and a plan of several steps leaves the order
    to the number of threads.
    """
    leaves, nodes = dimension.pairs()
    pairs = pl.DataFrame({dimension.name: leaves, "__node": nodes})
    both = long.join(pairs, on=dimension.name, maintain_order="left_right")
    return both.drop(dimension.name).rename({"__node": dimension.name})


def _largest() -> pl.Expr:
    """The largest contributions with their weights; ties in an order of their own."""
    order = [pl.col(VALUE).abs(), pl.col(WEIGHT), pl.col(PERSON)]
    top = pl.struct(VALUE, WEIGHT, WAIVED, PERSON)
    return top.sort_by(order, descending=[True, True, False]).head(N_LARGEST).alias(_TOP)


def _as_counted(cells: pl.DataFrame, names: list[str]) -> Counted:
    n = cells[N].to_numpy()
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
