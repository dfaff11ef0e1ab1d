"""IL1: relative change of values, in per cent."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from microveil.measures.base import UtilityMeasure
from microveil.pairs.numbers import paired_numbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.utility.parts.shares import relative_moves, share


class IL1(UtilityMeasure):
    """Sum over all cells of 100·|x − x'| / |x|: sdcMicro's ``dUtility(method = "IL1")``.

    A sum, not a mean (``parts`` has the mean per cell and the sum of each column). Cells that were
    0 have no relative change and are ignored, as are cells missing on either side. Numbers near 0
    weigh heavily, so :class:`~microveil.utility.il1s.IL1s` is usually the better choice.

    >>> IL1().measure({"x": [2.0, 0.0, 4.0]}, {"x": [3.0, 1.0, 4.0]}).value
    50.0
    """

    question: ClassVar[str] = "How far did numbers move?"
    title: ClassVar[str] = "Moves in per cent of the value"
    name: Literal["il1"] = "il1"
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    by_default: ClassVar[bool] = False
    columns: Columns = ()
    """Columns to compare; by default all that are numeric before and after."""

    def score(self, original: Table, released: Table) -> Score:
        """Sum the relative changes by column."""
        paired = paired_numbers(original, released, self.columns)
        sums: dict[str, float] = {}
        n_cells = 0
        for number, name in enumerate(paired.columns):
            before, after = paired.before[:, number], paired.after[:, number]
            usable = ~(np.isnan(before) | np.isnan(after)) & (before != 0)
            moves = relative_moves(before[usable], after[usable])
            sums[name] = 100 * float(moves.sum())
            n_cells += int(usable.sum())
        total = sum(sums.values())
        parts = {"per_cell": share(total, n_cells), "columns": sums}
        return Score(measure=self.kind(), value=total, scale="per cent", parts=parts)
