"""Threshold rule: too few contributors."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Flags
from microveil.tabulation.cells import Cells
from microveil.tabulation.rules.parts.base import Judgement, PrimaryRule, judgement


class Threshold(PrimaryRule):
    """A cell with fewer than ``n`` contributors is unsafe; an empty cell is not.

    Contributors are people or firms where the tabulation or the roles name them, otherwise records.
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("n",)
    rule: Literal["threshold"] = "threshold"
    n: int = Field(default=3, ge=2)
    """Smallest number of contributors of a safe cell."""
    level: float = Field(default=0.0, ge=0)
    """Width of the protection interval, in percent of the cell's value; 0: it must not be exact."""

    def judge(self, cells: Cells) -> Judgement:
        """Mark the cells with some contributors, but too few."""
        unsafe = (cells.n > 0) & (cells.n < self.n)
        return judgement(unsafe, np.abs(cells.values) * self.level / 100)

    def waivers(self, cells: Cells) -> Flags:
        """Cells whose contributors all agreed."""
        return np.asarray((cells.n_waived == cells.n) & (cells.n > 0))
