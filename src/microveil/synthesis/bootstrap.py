"""Bootstrap: whole records drawn with replacement, the other baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from microveil.synthesis.parts.donors import draw_rows
from microveil.synthesis.parts.generator import Fitted, Generator
from microveil.synthesis.parts.training import record_weights
from microveil.tables import Table


class Bootstrap(Generator):
    """Draw whole records with replacement: all relations are preserved, and nobody is protected.

    A baseline for comparison: as close to the table as a resample of its own records. Given some
    columns, the others move as one block from record to record.
    """

    generator: Literal["bootstrap"] = "bootstrap"
    takes_given: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True

    def fit(
        self,
        table: Table,
        rng: np.random.Generator,  # noqa: ARG002  records are kept as they are
        given: Sequence[str] = (),
    ) -> BootstrapModel:
        """Keep the records."""
        return BootstrapModel(table, given)


class BootstrapModel(Fitted):
    """The records themselves."""

    def __init__(self, table: Table, given: Sequence[str]) -> None:
        weight = table.roles.weight
        self.frame = table.frame.drop([*given, *([weight] if weight else [])])
        self.weights = None if weight is None else record_weights(table, weight)
        self.facts = {}
        self.modelled = (tuple(self.frame.columns),)

    def sample(
        self,
        n: int,
        rng: np.random.Generator,
        given: pl.DataFrame | None = None,  # noqa: ARG002  nothing depends on it
    ) -> pl.DataFrame:
        """Draw records with replacement."""
        return self.frame[draw_rows(n, self.frame.height, self.weights, rng)]
