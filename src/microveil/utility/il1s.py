"""IL1s: how far values moved, in standard deviations."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import polars as pl

from microveil.measures.base import UtilityMeasure
from microveil.pairs.numbers import paired_numbers, settle_infinite
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.kinds import numbers_of
from microveil.tables.roles import Columns


class IL1s(UtilityMeasure):
    """Sum over all cells of |x − x'| / (√2·σ), with σ the column's standard deviation before.

    σ is that of all records of the original, also of those that the release leaves out.

    A sum, as in sdcMicro's ``dUtility``, not a mean: it grows with the table (``parts`` has the
    mean per cell and the sum of each column). Cells missing on either side and columns that were
    constant are ignored (Yancey, Winkler & Creecy 2002; Mateo-Sanz et al. 2005).

    >>> round(IL1s().measure({"x": [0.0, 2.0]}, {"x": [0.0, 4.0]}).value, 6)
    1.0
    """

    question: ClassVar[str] = "How far did numbers move?"
    title: ClassVar[str] = "Moves in standard deviations"
    plain: ClassVar[str] = (
        "How far a number moved on average, in standard deviations of its column (÷ √2)."
    )
    headline: ClassVar[bool] = True
    name: Literal["il1s"] = "il1s"
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to compare; by default all that are numeric before and after."""

    def score(self, original: Table, released: Table) -> Score:
        """Sum the changes by column."""
        paired = paired_numbers(original, released, self.columns)
        sums: dict[str, float] = {}
        n_cells = 0
        for number, name in enumerate(paired.columns):
            before, after = paired.before[:, number], paired.after[:, number]
            spread = _spread(original.frame[name])
            moves = np.abs(before - after)
            n_cells += int((~np.isnan(moves)).sum())
            sums[name] = float(np.nansum(moves) / (np.sqrt(2) * spread)) if spread > 0 else 0.0
        total = sum(sums.values())
        mean = total / n_cells if n_cells else 0.0
        parts = {"per_cell": mean, "n_cells": n_cells, "columns": sums}
        return Score(measure=self.kind(), value=total, scale="standard deviations", parts=parts)


def _spread(column: pl.Series) -> float:
    """Standard deviation of the numbers that are there; 0 of a single one."""
    (numbers,) = settle_infinite(numbers_of(column))
    present = numbers[~np.isnan(numbers)]
    return float(present.std(ddof=1)) if len(present) > 1 else 0.0
