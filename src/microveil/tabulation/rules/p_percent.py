"""p% rule: a contributor can estimate another one too closely."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from microveil.tabulation.cells import Cells
from microveil.tabulation.rules.parts.base import (
    Judgement,
    PrimaryRule,
    Weighting,
    judgement,
    remainder,
)


class PPercent(PrimaryRule):
    """A cell is unsafe if the second largest contributor can estimate the largest within p percent.

    What the others add is all that hides the largest: the cell is unsafe if it is below p percent
    of the largest contribution. ``n`` contributors may pool what they know.
    """

    rule: Literal["p_percent"] = "p_percent"
    p: float = Field(default=10.0, gt=0)
    """How close an estimate may not come, in percent of the largest contribution."""
    n: int = Field(default=1, ge=1, le=4)
    """How many contributors may pool what they know."""
    weighting: Weighting = "sample"
    """Whether a weighted contributor is one, or as many as the (public) weight says."""

    def judge(self, cells: Cells) -> Judgement:
        """Compare what remains with the largest contribution."""
        largest = cells.largest[:, 0]
        rest = remainder(cells, self.n + 1, self.weighting)
        needed = self.p / 100 * largest
        unsafe = (cells.n > 0) & (largest > 0) & (rest < needed * (1 - 1e-12))
        return judgement(unsafe, needed - rest)
