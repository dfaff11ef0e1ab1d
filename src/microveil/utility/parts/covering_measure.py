"""What measures of coverage share: their columns, hierarchies, and doing without row pairs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from microveil.hierarchies import AnyHierarchy
from microveil.measures.base import UtilityMeasure
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns


class CoveringMeasure(UtilityMeasure):
    """A measure of how many values the released cells cover."""

    looks_labels_up: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to look at; the quasi-identifiers, or all where there are none, unless named."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values generalise, by column; labels are then looked up, and leaves are counted."""

    @abstractmethod
    def covered(self, original: Table, released: Table, *, paired: bool) -> Score:
        """Work the score out; ``paired`` tells whether rows may say what their labels cover."""

    def score(self, original: Table, released: Table) -> Score:
        """The score by labels and, where labels do not say it, by rows."""
        return self.covered(original, released, paired=True)

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """The same where labels alone must say what they cover."""
        return self.covered(original, released, paired=False)
