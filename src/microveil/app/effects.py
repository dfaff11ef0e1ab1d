"""Effects: what a state of the table means for risk and utility, in a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microveil.recipes import Recipe
from microveil.tables import Missing, Standing, Table, standings
from microveil.utility import CellChanges

MOST_FACTS = 12
"""Facts of a step that a page shows."""


@dataclass(frozen=True)
class Effect:
    """Risk and loss of the table after some steps; no value of a record."""

    n_records: int
    loss: float
    """Share of the cells that changed; a removed record or column counts as changed throughout."""
    standing: Standing | None = None
    """Where the table stands by its quasi-identifiers; None if it has none."""
    scenarios: Mapping[str, Standing] = field(default_factory=dict)
    """Where it stands by the keys of each further scenario."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the last step says about itself."""

    @property
    def k(self) -> int | None:
        """Size of the smallest class; None without quasi-identifiers."""
        return None if self.standing is None else self.standing.k

    @property
    def n_unique(self) -> int | None:
        """Rows of people who share their keys with nobody; None without quasi-identifiers."""
        return None if self.standing is None else self.standing.n_unique

    @property
    def average_risk(self) -> float | None:
        """Mean of 1 / class size; None without quasi-identifiers."""
        return None if self.standing is None else self.standing.average_risk

    def words(self) -> list[str]:
        """What the numbers count where they count people, and each scenario, a line each."""
        lines = [
            f"scenario {name}: k = {one.k}; {one.unique_words()}"
            for name, one in self.scenarios.items()
        ]
        counted = [self.standing] if self.standing else list(self.scenarios.values())[:1]
        return [one.counting_words() for one in counted if one.n_people is not None] + lines

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "n_records": self.n_records,
            "k": self.k,
            "n_unique": self.n_unique,
            "average_risk": self.average_risk,
            "loss": self.loss,
        }


def effect_of(
    original: Table,
    table: Table,
    missing: Missing,
    facts: Mapping[str, Any] | None = None,
    recipe: Recipe | None = None,
) -> Effect:
    """Where a table stands, and how many of its cells differ from the original.

    The recipe says which labels mean something else than they look like.
    """
    same = table is original
    loss = 0.0 if same else CellChanges().measure(original, table, recipe=recipe).value
    found = standings(table, missing)
    scenarios = {name: one for name, one in found.items() if name is not None}
    return Effect(table.height, loss, found.get(None), scenarios, _plain(facts or {}))


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that can be shown in a line: numbers, names, levels by column."""
    plain = {
        name: fact
        for name, fact in facts.items()
        if isinstance(fact, bool | int | float | str) or _is_levels(fact)
    }
    return dict(list(plain.items())[:MOST_FACTS])


def _is_levels(fact: object) -> bool:
    return isinstance(fact, Mapping) and all(
        isinstance(key, str) and isinstance(value, int | float) for key, value in fact.items()
    )
