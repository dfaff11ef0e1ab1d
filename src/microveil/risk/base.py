"""RiskMeasure: how much a table discloses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from microveil.specs import Spec
from microveil.tables import Roles, Table, as_table
from microveil.tables.pairing import released_table

if TYPE_CHECKING:
    from microveil.scores import Score


class RiskMeasure(Spec, ABC):
    """How much a table discloses; some measures need the original beside it."""

    tag: ClassVar[str] = "name"
    needs_original: ClassVar[bool] = False
    """Whether the released table is looked at beside its original."""
    needs_alignment: ClassVar[bool] = False
    """Whether row i of the release must be row i of the original (or the row link known)."""
    needs_numbers: ClassVar[bool] = False
    """Whether it looks at columns of numbers alone: without one, its 0 means nothing."""
    counts_classes: ClassVar[bool] = False
    """Whether it reads class sizes, which say little once values have been perturbed."""

    by_default: ClassVar[bool] = True
    """Whether assessments and comparisons take the measure without being asked to."""
    with_control: ClassVar[bool] = False
    """Whether comparisons take it without being asked to once they have a control."""
    most_cells: ClassVar[int | None] = None
    """Records × columns beyond which it takes too long to be taken without being asked to."""

    @abstractmethod
    def score(self, table: Table, original: Table | None) -> Score:
        """Work the score out; ``original`` is there when the measure needs it."""

    def measure(self, first: Any, second: Any = None, *, roles: Roles | None = None) -> Score:
        """Score a table; or ``measure(original, released)`` for measures that need both."""
        if second is None and self.needs_original:
            raise TypeError(f"{type(self).__name__}().measure(original, released) takes two tables")
        if second is None:
            return self.score(as_table(first, roles), None)
        return self.score(released_table(second, roles), as_table(first, roles))
