"""Tiny methods and marked data for the report tests."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import polars as pl

from microveil.methods import Method, Outcome
from microveil.release import Release
from microveil.tables import Roles, Table

SCALE = 0.739251
"""A parameter that must not reach the public."""
COUNTED = 738_411
"""A fact that must not reach the public."""
LABEL = "labelled-for-insiders"
RARE = "Rarissima"
"""A cell that only the unique record has."""


class Widen(Method):
    """Make ages coarse."""

    method: Literal["widen"] = "widen"
    column: str
    width: float = SCALE
    label: str = LABEL
    key_file: str = "vault/secret.key"

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        ages = table.frame[self.column] // 50 * 50
        facts = {"n_marked": COUNTED, "n_changed": {self.column: COUNTED}, "seed": 424_242}
        return Outcome(table.with_columns([ages]), facts)


class Jitter(Method):
    """Add a little to each number."""

    method: Literal["jitter"] = "jitter"
    perturbative: ClassVar[bool] = True
    column: str

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        noise = pl.Series(self.column, rng.integers(0, 2, table.height))
        return Outcome(table.with_columns([table.frame[self.column] + noise]), {})


class Keep(Method):
    """Keep the first records."""

    method: Literal["keep"] = "keep"
    n_records: int

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        return Outcome(table.filter(np.arange(table.height) < self.n_records))


class Leave(Method):
    """Leave columns out."""

    method: Literal["leave"] = "leave"
    columns: tuple[str, ...]

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        return Outcome(table.drop(self.columns), {"dropped": list(self.columns)})


def people(n_records: int = 200) -> pl.DataFrame:
    """So many people, the last of them unique by town."""
    return pl.DataFrame(
        {
            "age": [20 + i % 2 for i in range(n_records)],
            "town": ["A" if i < n_records - 1 else RARE for i in range(n_records)],
            "income": [1000 + i for i in range(n_records)],
        }
    )


ROLES = Roles(quasi_identifiers=["age", "town"], sensitive=["income"])


class MakeRelease(Protocol):
    """Run steps on the people above, or on other data."""

    def __call__(
        self,
        *steps: Method,
        data: pl.DataFrame | None = None,
        roles: Roles = ROLES,
        k: int | None = 2,
        **more: Any,
    ) -> Release: ...
