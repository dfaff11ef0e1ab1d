"""Shared by coverage measures: columns, hierarchies, and scoring without paired rows."""

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
    """Columns to use; by default the quasi-identifiers, or all if there are none."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values generalise, by column; labels are then looked up, and leaves counted."""

    @abstractmethod
    def covered(self, original: Table, released: Table, *, paired: bool) -> Score:
        """Compute the score; ``paired`` says whether rows may show what their labels cover."""

    def score(self, original: Table, released: Table) -> Score:
        """Score by the labels or, if these are not clear, by the rows."""
        return self.covered(original, released, paired=True)

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """The same if the labels alone must show what they cover."""
        return self.covered(original, released, paired=False)
