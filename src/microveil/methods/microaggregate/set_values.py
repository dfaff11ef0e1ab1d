"""One list or text for a group of records: its medoid, its majority, its mean vector."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Floats, Ints
from microveil.methods.microaggregate.likeness import column_edits, list_matrix, set_members


def medoids(column: pl.Series, labels: Ints, weights: Floats | None) -> pl.Series:
    """The cell of each group with the least sum of edit distances to the others; the first one."""
    each = np.ones(len(column)) if weights is None else weights
    chosen = np.empty(len(column), np.int64)
    order = np.argsort(labels, kind="stable")
    starts = np.unique(labels[order], return_index=True)[1]
    for rows in np.split(order, starts[1:]):
        apart = column_edits(column.gather(rows))
        chosen[rows] = rows[int((apart @ each[rows]).argmin())]
    return column.gather(chosen).alias(column.name)


def majorities(column: pl.Series, labels: Ints, weights: Floats | None) -> pl.Series:
    """The members that at least half of each group has, in order; a group may agree on none."""
    each = np.ones(len(column)) if weights is None else weights
    members, belongs = set_members(column)
    n_groups = int(labels.max(initial=-1)) + 1
    held = np.zeros((n_groups, max(len(members), 1)))
    rows = belongs["row"].to_numpy()
    np.add.at(held, (labels[rows], belongs["member"].to_numpy()), each[rows])
    total = np.bincount(labels, each, minlength=n_groups)
    agreed = held * 2 >= total[:, None] * (1 - 1e-12)
    agreed &= held > 0
    lists = [members.gather(np.flatnonzero(row[: len(members)])).to_list() for row in agreed]
    groups = pl.Series(column.name, lists, dtype=pl.List(members.dtype))
    return groups.gather(labels).cast(column.dtype, strict=False).alias(column.name)


def mean_vectors(column: pl.Series, labels: Ints, weights: Floats | None) -> pl.Series:
    """The mean of each group's lists, element by element."""
    each = np.ones(len(column)) if weights is None else weights
    vectors = list_matrix(column)
    total = np.bincount(labels, each)
    sums = np.zeros((len(total), vectors.shape[1]))
    np.add.at(sums, labels, vectors * each[:, None])
    means = sums / total[:, None]
    return pl.Series(column.name, means.tolist(), dtype=pl.List(pl.Float64)).gather(labels)
