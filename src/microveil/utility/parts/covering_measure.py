"""Shared by coverage measures: columns, hierarchies, and scoring without paired rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from microveil.hierarchies import AnyHierarchy
from microveil.measures.base import UtilityMeasure
from microveil.pairs.coverings import read_coverings
from microveil.pairs.reading import Reading
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.utility.parts.key_columns import KeyColumn, key_columns


class CoveringMeasure(UtilityMeasure):
    """A measure of how many values the released cells cover."""

    looks_labels_up: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to use; by default the quasi-identifiers, or all if there are none."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values generalise, by column; labels are then looked up, and leaves counted."""

    @abstractmethod
    def score_covering(self, original: Table, released: Table, keys: list[KeyColumn]) -> Score:
        """Compute the score by what the cells of these columns cover."""

    def score(self, original: Table, released: Table) -> Score:
        """Score by the labels or, if these are not clear, by the rows."""
        return self.score_reading(Reading(original, released))

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """The same if the labels alone must show what they cover."""
        return self.score_reading(Reading(original, released, aligned=False))

    def score_reading(self, reading: Reading) -> Score:
        """Score by the labels, as hierarchies or the steps that made them tell."""
        original, released = reading.original, reading.released
        keys = key_columns(
            original, released, self.columns, self.hierarchies, paired=reading.aligned
        )
        shown = [key.name for key in keys if key.released is not None]
        covers = read_coverings(reading, shown)
        read = [
            key._replace(
                read=covers.get(key.name),
                coded=key.name in covers and bool(reading.column(key.name).followed.tree),
            )
            for key in keys
        ]
        return self.score_covering(original, released, read)
