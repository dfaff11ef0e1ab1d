"""Mean divergence: the mean of both tables' cells, and how far it moved."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from microveil.measures.base import UtilityMeasure
from microveil.pairs.numbers import paired_numbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns


class MeanDivergence(UtilityMeasure):
    """Mean of (x + x')/2 over all cells: div_avg of the course by Navarro-Arribas and Torra.

    The course requires a divergence to be 0 between a table and itself, which this one is not: it
    is then the mean of the data. ``excess`` subtracts that mean, so that 0 means an unchanged mean
    over all cells; ``parts`` has both, and the shift of each column's mean. Cells missing on either
    side are ignored.

    >>> score = MeanDivergence().measure({"x": [1.0, 3.0]}, {"x": [2.0, 4.0]})
    >>> score.value, score.parts["excess"]
    (2.5, 0.5)
    """

    question: ClassVar[str] = "How far did numbers move?"
    title: ClassVar[str] = "Mean of both tables"
    name: Literal["mean_divergence"] = "mean_divergence"
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    by_default: ClassVar[bool] = False
    columns: Columns = ()
    """Columns to compare; by default all that are numeric before and after."""
    excess: bool = False
    """Whether to score the absolute excess over the original's divergence from itself."""

    def score(self, original: Table, released: Table) -> Score:
        """Average the cells of both tables."""
        paired = paired_numbers(original, released, self.columns)
        both = ~(np.isnan(paired.before) | np.isnan(paired.after))
        n_cells = int(both.sum())
        before = float(paired.before[both].sum()) / n_cells if n_cells else 0.0
        after = float(paired.after[both].sum()) / n_cells if n_cells else 0.0
        shifts = {
            name: float((paired.after[there, number] - paired.before[there, number]).mean())
            if (there := both[:, number]).any()
            else 0.0
            for number, name in enumerate(paired.columns)
        }
        divergence, excess = (before + after) / 2, abs(after - before) / 2
        parts = {"div_avg": divergence, "of_itself": before, "excess": excess, "shifts": shifts}
        value = excess if self.excess else divergence
        return Score(measure=self.kind(), value=value, scale="mean", parts=parts)
