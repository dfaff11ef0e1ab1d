"""What a step makes of a column's values, for those who read its release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.labels.recoding import Recoding, at_any_level
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.arrays import Longs
    from microveil.hierarchies import HierarchyBuilder
    from microveil.methods.parts.base import Method


def replay(
    step: Method,
    values: pl.Series,
    counts: Longs,
    builder: HierarchyBuilder | None = None,
) -> Recoding | None:
    """What a step without chance makes of each value of one column.

    The step is applied to the values, or to as many records of each if their number matters.
    ``builder`` is the hierarchy that it follows, if any.
    """
    rows = np.arange(len(values))
    if not step.row_wise:
        rows = np.repeat(rows, counts)
    table = Table(values.gather(pl.Series(rows)).to_frame())
    after = step.apply(table, np.random.default_rng(0)).table
    if after.height != len(rows):
        return None
    first = np.searchsorted(rows, np.arange(len(values)))
    first = np.minimum(first, max(len(rows) - 1, 0))
    there = rows[first] == np.arange(len(values))  # not so for a value that only the control has
    found = after.frame[values.name].gather(pl.Series(first))
    if not there.all():
        found = found.set(pl.Series(~there), None)
    tree = () if builder is None else at_any_level(builder, values, counts).tree
    return Recoding((found,), tree)
