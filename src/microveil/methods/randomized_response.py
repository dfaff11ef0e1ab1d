"""Answer at random, with known odds."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from microveil.kernels.swapping.draw_categories import draw_responses
from microveil.methods.parts.base import Guarantee, Method, Outcome
from microveil.methods.parts.categories import Coded, Label, coded
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.transitions import keep_probability
from microveil.tables import Classes, Table

BLOCK = 1 << 16
"""Records drawn for at a time, which keeps memory low and caches warm."""


class RandomizedResponse(Method):
    """Keep each value with a known probability, else replace it by another one at random.

    Among k categories a value stays with probability e^ε / (e^ε + k − 1); else it becomes one of
    the others, all equally likely. Whatever is released, its probability under any two original
    values differs by a factor of e^ε at most (ε-differential privacy of each record; Warner 1965,
    Kairouz, Bonawitz & Ramage 2016). Missing stays missing, and is not protected.
    ``estimate_frequencies`` estimates the original frequencies. Time grows with the records.

    >>> step = RandomizedResponse(columns="smokes", epsilon=1.1, categories=["no", "yes"])
    >>> step.protect({"smokes": ["yes", "no", "yes", None]}, seed=4)["smokes"].to_list()
    ['yes', 'no', 'no', None]
    """

    method: Literal["randomized_response"] = "randomized_response"
    columns: SomeColumns = ()
    """Columns of categories: text, booleans or whole numbers."""
    epsilon: float = Field(gt=0)
    """Privacy loss ε of each column; several columns of a record add up."""
    categories: tuple[Label, ...] | None = Field(default=None, min_length=1)
    """All values there could be, for every column. Without them, the values that occur are taken:
    then the set of possible answers depends on the data, and a rare value's presence shows."""
    household_columns: HouseholdColumns = None
    """Those of the columns that are about a household as a whole, changed once for all its members
    where the roles name a household; unless said, those that no household differs in."""

    @property
    def perturbative(self) -> bool:
        """Always: an answer may be false."""
        return True

    @property
    def guarantee(self) -> Guarantee | None:
        """ε for each column, when the possible answers are not read off the data."""
        if self.categories is None:
            return None
        return Guarantee(self.epsilon * len(self.columns), self.columns)

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Draw the answers; the facts hold the odds and the total ε of a record."""
        return by_household(self, table, rng, RandomizedResponse._changed)

    def _changed(self, table: Table, rng: np.random.Generator) -> Outcome:
        frame = usable_frame(table, self.columns, self.kind())
        columns = [coded(frame[name], self.categories, self.kind()) for name in self.columns]
        drawn = [self._drawn(column, rng) for column in columns]
        facts: dict[str, Any] = {
            "n_changed": {
                c.name: int((c.codes != new).sum()) for c, new in zip(columns, drawn, strict=True)
            },
            "n_missing": {c.name: frame[c.name].null_count() for c in columns},
            "n_categories": {c.name: len(c.categories) for c in columns},
            "keep_probability": {
                c.name: keep_probability(max(len(c.categories), 1), self.epsilon) for c in columns
            },
            "categories_from": "data" if self.categories is None else "recipe",
            "epsilon": self.epsilon,
            "epsilon_per_record": self.epsilon * len(columns),
        }
        if table.roles.entity is not None:
            rows = Classes.of(table, [table.roles.entity]).record_counts
            most = int(rows.max(initial=0))
            facts["epsilon_per_entity"] = self.epsilon * len(columns) * most
        changed = [
            c.decoded(new)
            for c, new in zip(columns, drawn, strict=True)
            if len(c.categories) and frame.schema[c.name] == c.categories.dtype
        ]
        return Outcome(table.with_columns(changed), facts)

    def _drawn(self, column: Coded, rng: np.random.Generator) -> np.ndarray[Any, Any]:
        n = len(column.categories)
        keep = keep_probability(max(n, 1), self.epsilon)
        drawn = np.empty_like(column.codes)
        for start in range(0, len(drawn), BLOCK):
            part = column.codes[start : start + BLOCK]
            drawn[start : start + BLOCK] = draw_responses(part, n, keep, rng.random(len(part)))
        return drawn
