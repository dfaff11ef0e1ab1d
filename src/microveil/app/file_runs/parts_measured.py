"""What is measured of a run in parts while its files can still be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from microveil.errors import InputError
from microveil.risk import Assessment
from microveil.scores import Score
from microveil.texts import Message


@dataclass(frozen=True, eq=False)
class MeasuredParts:
    """Results computed while the file could still be read."""

    before: Assessment
    after: Assessment
    changes: Score | None

    @property
    def cell_changes(self) -> Score:
        """Share of cells that changed; an error for rows that belong to nobody."""
        if self.changes is None:
            raise InputError(
                Message(
                    "pairs.synthetic_records_belong_nobody",
                    "Synthetic records belong to nobody, so rows cannot be paired.",
                )
            )
        return self.changes

    @cached_property
    def utility(self) -> Mapping[str, Score]:
        """What the protection cost."""
        return {} if self.changes is None else {"cell_changes": self.changes}

    def assess_before(self, *, models: bool) -> Assessment:  # noqa: ARG002  told already
        """Disclosure risk of the original."""
        return self.before

    def assess_after(self, *, models: bool) -> Assessment:  # noqa: ARG002  told already
        """Disclosure risk of the result."""
        return self.after
