"""Effect: what a state of the table means for risk and utility, in a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microveil.tables import Classes, Missing, Table
from microveil.utility import CellChanges

MOST_FACTS = 12
"""Facts of a step that a page shows."""


@dataclass(frozen=True)
class Effect:
    """Risk and loss of the table after some steps; no value of a record."""

    n_records: int
    k: int | None
    """Size of the smallest class; none without quasi-identifiers."""
    n_unique: int | None
    average_risk: float | None
    """Mean of 1 / class size: the share of people that somebody who knows the keys identifies."""
    loss: float
    """Share of the cells that changed; a removed record or column counts as changed throughout."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the last step says about itself."""

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
    original: Table, table: Table, missing: Missing, facts: Mapping[str, Any] | None = None
) -> Effect:
    """Count the classes of a table and the cells that differ from the original."""
    loss = 0.0 if table is original else CellChanges().measure(original, table).value
    shown = _plain(facts or {})
    if not table.roles.quasi_identifiers:
        return Effect(table.height, None, None, None, loss, shown)
    classes = Classes.of(table, missing=missing)
    n_unique = int(classes.record_counts[classes.sizes == 1].sum())
    return Effect(table.height, classes.k, n_unique, classes.average_risk, loss, shown)


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
