"""Value distance: how far cells of any type moved, from 0 to 1."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import align
from microveil.pairs.numbers import released_numbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import numbers_of
from microveil.tables.roles import Columns, check_columns
from microveil.tables.values import as_text
from microveil.utility.parts.key_columns import plain_columns


class ValueDistance(UtilityMeasure):
    """Mean distance between cells before and after, for columns of any type: 0 to 1.

    Numbers: (2/π)·arctan|x − x'|; ordered categories: difference in rank over the largest possible;
    other values: 0 if equal, otherwise 1. A cell missing on one side counts 1, on both 0.
    sdcMicro's ``IL_variables``; ``parts`` has each column. The arctangent depends on the unit: a
    change of 1 gives a half, of 20 nearly 1, so amounts in cents soon score 1 (unlike
    :class:`~microveil.utility.il1s.IL1s`). Released intervals of numbers count as their midpoints.

    >>> before, after = {"n": [1.0, 2.0], "c": ["a", "b"]}, {"n": [1.0, 3.0], "c": ["a", "a"]}
    >>> ValueDistance().measure(before, after).parts["columns"]
    {'n': 0.25, 'c': 0.5}
    """

    question: ClassVar[str] = "How much is as it was?"
    title: ClassVar[str] = "Distance of cells"
    name: Literal["value_distance"] = "value_distance"
    needs_alignment: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    by_default: ClassVar[bool] = False
    columns: Columns = ()
    """Columns to compare; by default all common ones."""

    def score(self, original: Table, released: Table) -> Score:
        """Compare cell by cell."""
        beside = align(original, released)
        names = self.columns or plain_columns(original, released)
        for table in (original, released):
            check_columns(names, table.columns)
            refuse_nested(table.frame, list(names), self.kind())
        columns = {
            name: _mean(_distances(beside.frame[name], released.frame[name])) for name in names
        }
        value = float(np.mean(list(columns.values()))) if columns else 0.0
        return Score(measure=self.kind(), value=value, parts={"columns": columns})


def _mean(distances: Floats) -> float:
    return float(distances.mean()) if len(distances) else 0.0


def _distances(before: pl.Series, after: pl.Series) -> Floats:
    numbers = released_numbers(before, after)
    if numbers is not None:
        ours, theirs = (_floats(column) for column in (before, numbers))
        with np.errstate(invalid="ignore", over="ignore"):  # ∞ − ∞ where nothing changed
            moves = np.where(ours == theirs, 0.0, np.abs(ours - theirs))
        far = 2 / np.pi * np.arctan(moves)
    elif isinstance(before.dtype, pl.Enum) and before.dtype == after.dtype:
        ours, theirs = (_floats(column) for column in (before, after))
        far = np.abs(ours - theirs) / max(len(before.dtype.categories) - 1, 1)
    else:
        text = [as_text(column) for column in (before, after)]
        return text[0].ne_missing(text[1]).cast(pl.Float64).to_numpy()
    gone = np.isnan(ours) != np.isnan(theirs)
    return np.where(gone, 1.0, np.where(np.isnan(ours), 0.0, far))


def _floats(column: pl.Series) -> Floats:
    return numbers_of(column.to_physical() if isinstance(column.dtype, pl.Enum) else column)
