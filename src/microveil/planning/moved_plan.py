"""MovedPlan: columns whose values change places, sorted on disk and joined to the parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from microveil.methods import Outcome
from microveil.methods.parts.facts import change_facts
from microveil.planning.plan import State, StepPlan
from microveil.planning.sorting import StoredColumns
from microveil.tables import Table


@dataclass(frozen=True, eq=False)
class MovedPlan(StepPlan):
    """The new values of some columns, in the order of the rows, in temporary files."""

    moved: tuple[StoredColumns, ...]
    told: Mapping[str, Any]
    """Facts besides the number of cells changed."""

    @property
    def kind(self) -> str:
        """By sorting on disk."""
        return "sorted on disk"

    @property
    def opaque(self) -> bool:
        """Always: a row is identified by its position."""
        return True

    @property
    def sequential(self) -> bool:
        """Always."""
        return True

    def start(self) -> State:
        """Rows that came before: none."""
        return np.zeros(1, np.int64)

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:  # noqa: ARG002  chance had its say
        """Join the new values to the part's rows."""
        start = int(state[0])
        state[0] += part.height
        new = [
            column
            for stored in self.moved
            for column in stored.rows(start, part.height).iter_columns()
        ]
        after = part.with_columns(new)
        names = [column.name for column in new]
        return Outcome(after, {**change_facts(part.frame, after.frame, names), **self.told})

    def merge_facts(self, first: Mapping[str, Any], second: Mapping[str, Any]) -> Mapping[str, Any]:
        """Numbers of changed and missing cells are added up; the rest is known beforehand."""
        changed = [{k: v for k, v in one.items() if k not in self.told} for one in (first, second)]
        return {**self.step.merge_facts(*changed), **self.told}
