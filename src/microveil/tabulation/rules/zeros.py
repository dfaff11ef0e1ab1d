"""Zeros rule: that nobody is in a cell gives something away."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Flags
from microveil.tabulation.cells import Cells
from microveil.tabulation.rules.parts.base import Judgement, PrimaryRule


class Zeros(PrimaryRule):
    """An empty cell is unsafe: that nobody in a group has a property tells it of all of them.

    With this rule the empty cells of the tables become cells like others, which may also serve to
    protect their neighbours. Without it everybody knows that an empty cell is empty.
    """

    rule: Literal["zeros"] = "zeros"
    level: float = Field(default=1.0, gt=0)
    """How far above zero the interval of an empty cell must reach, in units of the table."""
    looks_at_empty: ClassVar[bool] = True

    def judge(self, cells: Cells) -> Judgement:
        """Mark the empty cells."""
        unsafe = cells.n == 0
        return Judgement(unsafe, np.where(unsafe, self.level, 0.0), np.zeros(cells.n_cells))

    def waivers(self, cells: Cells) -> Flags:
        """Nobody is there who could agree."""
        return np.zeros(cells.n_cells, dtype=np.bool_)
