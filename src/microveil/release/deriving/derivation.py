"""Derivation: cells of one key that another released column gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

Cause = Literal["household", "person", "count", "column"]
"""Where the value stands: in another member's row, in another row of the same person, in the number
of rows that share an id, or in a column that determines the key."""


@dataclass(frozen=True, eq=False)
class Derivation:
    """Cells of one key that another released column gives back; no cell value is ever shown."""

    cause: Cause
    by: str
    """The released column that gives them back."""
    key: str
    n_cells: int
    """Suppressed, coarsened or changed cells that come back, rightly."""
    n_hidden: int
    """All cells of the key that were suppressed, coarsened or changed."""
    certainty: float
    """Share of the cases in which the column is right about the key: what the cause measures."""
    strict: bool
    """Whether requirements must hold although the cells come back; otherwise it is only told."""
    back: pl.Series = field(repr=False)
    """Which cells come back."""
    values: pl.Series = field(repr=False)
    """What is derived, where it comes back."""
    by_key: bool = False
    """Whether the column that gives them back is a key itself."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "cause": self.cause,
            "by": self.by,
            "key": self.key,
            "n_cells": self.n_cells,
            "n_hidden": self.n_hidden,
            "certainty": round(self.certainty, 4),
            "strict": self.strict,
        }
