"""Randomised response: answer at random, with known probabilities."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from microveil.kernels.swapping.draw_categories import draw_responses
from microveil.methods.parts.base import Guarantee, Method, Outcome
from microveil.methods.parts.categories import Coded, Label, encode_categories
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.transitions import keep_probability
from microveil.tables import Classes, Table

BLOCK = 1 << 16
"""Records drawn for at a time, which keeps memory low and caches warm."""


class RandomizedResponse(Method):
    """Keep each value with a known probability, otherwise replace it by another at random.

    Among k categories a value is kept with probability e^ε / (e^ε + k − 1); otherwise it becomes
    one of the others, all equally likely. The probability of any released value differs by a factor
    of at most e^ε between any two original values (ε-differential privacy of each record; Warner
    1965, Kairouz, Bonawitz & Ramage 2016). Missing stays missing, and is not protected.
    ``estimate_frequencies`` estimates the original frequencies. Time grows with the number of
    records.

    >>> step = RandomizedResponse(columns="smokes", epsilon=1.1, categories=["no", "yes"])
    >>> step.protect({"smokes": ["yes", "no", "yes", None]}, seed=4)["smokes"].to_list()
    ['yes', 'no', 'no', None]
    """

    method: Literal["randomized_response"] = "randomized_response"
    columns: SomeColumns = ()
    """Categorical columns: text, booleans or whole numbers."""
    epsilon: float = Field(gt=0)
    """Privacy loss ε of each column; several columns of a record add up."""
    categories: tuple[Label, ...] | None = Field(default=None, min_length=1)
    """All possible values, for every column. By default the values that occur: the set of possible
    answers then depends on the data, and reveals the presence of a rare value."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are changed once for all its members, if the
    roles name a household; by default those that are constant within every household."""

    @property
    def perturbative(self) -> bool:
        """Always: an answer may be false."""
        return True

    @property
    def guarantee(self) -> Guarantee | None:
        """ε for each column, if the possible answers are not taken from the data."""
        if self.categories is None:
            return None
        return Guarantee(self.epsilon * len(self.columns), self.columns)

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Draw the answers; the facts contain the probabilities and the total ε of a record."""
        return by_household(self, table, rng, RandomizedResponse._change)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        frame = usable_frame(table, self.columns, self.kind())
        columns = [
            encode_categories(frame[name], self.categories, self.kind()) for name in self.columns
        ]
        drawn = [self._draw(column, rng) for column in columns]
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
            c.decode(new)
            for c, new in zip(columns, drawn, strict=True)
            if len(c.categories) and frame.schema[c.name] == c.categories.dtype
        ]
        return Outcome(table.with_columns(changed), facts)

    def _draw(self, column: Coded, rng: np.random.Generator) -> np.ndarray[Any, Any]:
        n = len(column.categories)
        keep = keep_probability(max(n, 1), self.epsilon)
        drawn = np.empty_like(column.codes)
        for start in range(0, len(drawn), BLOCK):
            part = column.codes[start : start + BLOCK]
            drawn[start : start + BLOCK] = draw_responses(part, n, keep, rng.random(len(part)))
        return drawn
