"""Permute the values of columns among the records."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, apart, usable_frame
from microveil.methods.parts.facts import n_changed
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.tables import Classes, Table
from microveil.tables.roles import Columns


class Permute(Method):
    """Permute the values of columns among the records at random.

    Each column keeps exactly the values it had, including missing ones, but not their records. Time
    and memory grow with the number of records.

    >>> Permute(columns="pay").protect({"pay": [1, 2, 3]}, seed=1)["pay"].sort().to_list()
    [1, 2, 3]
    """

    method: Literal["permute"] = "permute"
    columns: SomeColumns = ()
    """Columns to permute."""
    together: bool = False
    """Whether the columns move as one block, which preserves the relations among them."""
    within: Columns = ()
    """Columns within whose combinations values are permuted, missing being a value; by default over
    the whole table."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are changed once for all its members, if the
    roles name a household; by default those that are constant within every household."""

    @model_validator(mode="after")
    def _groups_of_others(self) -> Self:
        apart(self.columns, self.within, ("columns", "within"))
        return self

    @property
    def perturbative(self) -> bool:
        """Always: a value may end up in another record."""
        return True

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Permute the columns; the facts count cells changed and records alone in their group."""
        return by_household(self, table, rng, Permute._change)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        frame = usable_frame(table, [*self.columns, *self.within], self.kind())
        groups = Classes.of(table, self.within)
        block = _draw_sources(groups, rng) if self.together else None
        mixed = [
            frame[name].gather(_draw_sources(groups, rng) if block is None else block)
            for name in self.columns
        ]
        facts: dict[str, Any] = {
            "n_changed": {series.name: n_changed(frame[series.name], series) for series in mixed},
            "n_alone": int((groups.record_counts == 1).sum()),
        }
        return Outcome(table.with_columns(mixed), facts)


def _draw_sources(groups: Classes, rng: np.random.Generator) -> NDArray[np.int64]:
    """The source of each record's new value: a random record of its own group."""
    order = rng.permutation(groups.n_records)
    if groups.n_classes <= 1:
        return order
    group = groups.record_class
    source = np.empty_like(order)
    # Sorted by group, the records in their order and in a random order are paired.
    source[np.argsort(group, kind="stable")] = order[np.argsort(group[order], kind="stable")]
    return source
