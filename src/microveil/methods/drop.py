"""Remove columns from the table."""

from __future__ import annotations

from typing import Literal

import numpy as np

from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns
from microveil.tables import Table


class Drop(Method):
    """Remove columns from the table.

    >>> Drop(columns="name").protect({"name": ["Ann"], "age": [30]}).columns
    ['age']
    """

    method: Literal["drop"] = "drop"
    columns: SomeColumns
    """Columns to drop; they may hold anything, including nested values."""

    @property
    def row_wise(self) -> bool:
        """Always: no row depends on another."""
        return True

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Return the table without these columns and their roles."""
        table.require(self.columns)
        return Outcome(table.drop(self.columns), {"dropped": list(self.columns)})
