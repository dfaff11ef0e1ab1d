"""UtilityMeasure: what the protection cost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tables import Roles, Table, as_table
from microveil.tables.pairing import aligned, common_columns, released_table

if TYPE_CHECKING:
    from microveil.scores import Score

__all__ = ["UtilityMeasure", "aligned", "common_columns", "is_paired", "released_table", "share"]


class UtilityMeasure(Spec, ABC):
    """What the protection cost, seen by laying the release beside its original."""

    tag: ClassVar[str] = "name"
    needs_alignment: ClassVar[bool] = False
    """Whether row i of the release must be row i of the original (or the row link known)."""
    needs_numbers: ClassVar[bool] = False
    """Whether it looks at columns of numbers alone: without one, its 0 means nothing."""
    by_default: ClassVar[bool] = True
    """Whether comparisons take the measure without being asked to."""
    quick: ClassVar[bool] = True
    """Whether it takes about as long as reading the tables; others fit models or count pairs."""

    @abstractmethod
    def score(self, original: Table, released: Table) -> Score:
        """Work the score out; :func:`aligned` pairs the rows where the measure needs it."""

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """Work the score out where nobody knows which row was which.

        Measures that pair rows refuse; those that gain from pairs, but can do without, override.
        """
        if self.needs_alignment:
            raise InputError("needs rows in the same order")
        return self.score(original, released)

    def measure(
        self,
        original: Any,
        released: Any,
        *,
        roles: Roles | None = None,
        aligned: bool | None = None,
    ) -> Score:
        """Score a release against its original, any data frames.

        Rows are paired while both have as many, or where the row link is known; say
        ``aligned=False`` when the release is in another order.
        """
        before, after = as_table(original, roles), released_table(released, roles)
        if aligned is None:
            aligned = self.needs_alignment or is_paired(before, after)
        return self.score(before, after) if aligned else self.score_unpaired(before, after)


def is_paired(original: Table, released: Table) -> bool:
    """Whether rows can be laid side by side: by the row link, or as both have as many."""
    return released.rows is not None or original.height == released.height


def share(part: float, whole: float) -> float:
    """``part / whole``; 0 of nothing."""
    return float(np.divide(part, whole)) if whole else 0.0
