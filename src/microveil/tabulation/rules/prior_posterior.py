"""Prior-posterior rule: what was known before is made much better."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from microveil.tabulation.cells import Cells
from microveil.tabulation.rules.parts.base import (
    Judgement,
    PrimaryRule,
    Weighting,
    judgement,
    remainder,
)


class PriorPosterior(PrimaryRule):
    """The (p, q) rule: anyone knows contributions within q percent, and may not reach p percent.

    It is the p% rule with p/q in place of p: what the others add is known within q percent before.
    """

    rule: Literal["prior_posterior"] = "prior_posterior"
    p: float = Field(default=10.0, gt=0)
    """How close an estimate may not come afterwards, in percent."""
    q: float = Field(default=100.0, gt=0)
    """How close it was before, in percent."""
    weighting: Weighting = "sample"
    """Whether a weighted contributor is one, or as many as the (public) weight says."""

    @model_validator(mode="after")
    def _closer(self) -> Self:
        if self.p >= self.q:
            raise ValueError(
                "p must be smaller than q: an estimate must become closer to be a disclosure"
            )
        return self

    def judge(self, cells: Cells) -> Judgement:
        """Compare what remains with the largest contribution."""
        largest = cells.largest[:, 0]
        rest = remainder(cells, 2, self.weighting)
        needed = self.p / self.q * largest
        unsafe = (cells.n > 0) & (largest > 0) & (rest < needed * (1 - 1e-12))
        return judgement(unsafe, needed - rest)
