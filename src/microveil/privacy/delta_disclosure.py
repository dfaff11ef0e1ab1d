"""δ-disclosure privacy."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.privacy.parts.sensitive import ROUNDING, Judged, SensitiveModel
from microveil.texts import Message

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.privacy.parts.distribution import Distribution


class DeltaDisclosure(SensitiveModel):
    """Every value is about as likely in each class as in the table (Brickell & Shmatikov 2008).

    With p the share of a sensitive value in the table and q its share in a class, the absolute
    value of log₂(q/p) is below δ for every value of the table. As in the original definition, a
    value that is absent from a class violates the model for every δ (ARX ignores absent values). A
    missing value counts as a value of its own.

    >>> from microveil.tables import Roles
    >>> people = {"sex": ["f", "f", "f", "m", "m"], "ill": ["flu", "no", "no", "flu", "no"]}
    >>> roles = Roles(quasi_identifiers=["sex"], sensitive=["ill"])
    >>> round(DeltaDisclosure(delta=0.5).check(people, roles).achieved, 4)
    0.3219
    """

    model: Literal["delta_disclosure"] = "delta_disclosure"
    monotone: ClassVar[bool] = True
    delta: float = Field(gt=0)
    """Bound on the change in likelihood, in bits; the bound itself is not allowed."""

    @property
    def title(self) -> str:
        """The requirement in words."""
        return Message("title.disclosure_privacy", "{delta:g}-disclosure privacy", delta=self.delta)

    @property
    def required(self) -> float:
        """Bound in bits."""
        return self.delta

    def judge(self, found: Distribution) -> Judged:
        """Largest change in each class."""
        reached = changes(found)
        return Judged(reached, reached >= self.delta * (1 - ROUNDING))


def changes(found: Distribution) -> NDArray[np.float64]:
    """Largest absolute log₂ change of a share in each class; infinite where a value is absent."""
    largest = found.largest(np.abs(np.log2(found.shares / found.table_shares)))
    n_present = np.diff(found.starts, append=len(found.classes))
    return np.where(n_present < found.n_values, np.inf, largest)
