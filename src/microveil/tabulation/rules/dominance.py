"""Dominance rule: a few contributors make up most of a cell."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from microveil.tabulation.cells import Cells
from microveil.tabulation.rules.parts.base import (
    Judgement,
    PrimaryRule,
    Weighting,
    dominant,
    judgement,
)


class Dominance(PrimaryRule):
    """A cell is unsafe if its ``n`` largest contributors hold more than ``k`` percent of it.

    Its interval must reach 100/k times what these contribute (Hundepool et al. 2012, table 4.2).
    """

    rule: Literal["dominance"] = "dominance"
    n: int = Field(default=1, ge=1, le=5)
    """How many of the largest contributors are added up."""
    k: float = Field(default=85.0, gt=0, lt=100)
    """Largest share in percent that they may hold."""
    weighting: Weighting = "sample"
    """Whether a weighted contributor is one or as many as the weight says."""

    def judge(self, cells: Cells) -> Judgement:
        """Compare the largest contributions with the total."""
        held, total = dominant(cells, self.n, self.weighting), cells.sizes
        unsafe = (cells.n > 0) & (held > self.k / 100 * total * (1 + 1e-12)) & (total > 0)
        return judgement(unsafe, 100 / self.k * held - total)
