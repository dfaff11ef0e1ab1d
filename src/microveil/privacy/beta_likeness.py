"""β-likeness."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import ConfigDict, Field

from microveil.privacy.parts.sensitive import ROUNDING, Judged, SensitiveModel
from microveil.texts import Message

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.privacy.parts.distribution import Distribution


class BetaLikeness(SensitiveModel):
    """Knowing the class makes no sensitive value much more likely (Cao & Karras 2012).

    With p the share of a value in the table and q its share in a class, the gain (q − p)/p is at
    most β (*basic*), or at most min(β, −ln p) (*enhanced*, which also bounds frequent values). For
    the enhanced kind, the value achieved is β times the largest ratio of a gain to its bound, so it
    exceeds β exactly when the requirement fails. A value may become less likely. A missing value
    counts as a value of its own.

    >>> from microveil.tables import Roles
    >>> people = {"sex": ["f", "f", "m", "m"], "ill": ["flu", "flu", "no", "flu"]}
    >>> roles = Roles(quasi_identifiers=["sex"], sensitive=["ill"])
    >>> BetaLikeness(beta=1).check(people, roles).achieved
    1.0
    """

    model: Literal["beta_likeness"] = "beta_likeness"
    monotone: ClassVar[bool] = True
    model_config = ConfigDict(serialize_by_alias=True)

    beta: float = Field(gt=0)
    """Largest relative gain in likelihood."""
    variant: Literal["basic", "enhanced"] = Field(default="basic", alias="kind")
    """``basic``, or ``enhanced`` with a tighter bound for frequent values."""

    @property
    def title(self) -> str:
        """The requirement in words."""
        if self.variant == "enhanced":
            return Message("title.enhanced_likeness", "enhanced {beta:g}-likeness", beta=self.beta)
        return Message("title.likeness", "basic {beta:g}-likeness", beta=self.beta)

    @property
    def required(self) -> float:
        """Largest gain allowed."""
        return self.beta

    def judge(self, found: Distribution) -> Judged:
        """Largest gain of each class."""
        gain = gains(found)
        if self.variant == "enhanced":
            gain = self.beta * _ratio(gain, np.minimum(self.beta, -np.log(found.table_shares)))
        reached = found.largest(gain)
        return Judged(reached, reached > self.beta * (1 + ROUNDING) + ROUNDING)


def gains(found: Distribution) -> NDArray[np.float64]:
    """Relative gain in likelihood of each entry; 0 where its value became less likely."""
    return np.maximum(found.shares - found.table_shares, 0) / found.table_shares


def enhanced_beta(found: Distribution) -> float | None:
    """Smallest β for which enhanced likeness holds; None if it holds for no β."""
    gain = gains(found)
    if (gain > -np.log(found.table_shares) + ROUNDING).any():
        return None
    return float(gain.max(initial=0))


def _ratio(gain: NDArray[np.float64], bound: NDArray[np.float64]) -> NDArray[np.float64]:
    """Gain over bound; no gain meets every bound, even the bound of 0 for a column's only value."""
    return np.divide(gain, bound, out=np.zeros_like(gain), where=gain > 0)
