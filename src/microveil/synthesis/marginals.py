"""Marginals: each column drawn independently, the baseline that preserves no relation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.synthesis.parts.columns import NumberColumn
from microveil.synthesis.parts.donors import draw_rows
from microveil.synthesis.parts.generator import Fitted, Generator
from microveil.synthesis.parts.smoothing import Smoothing
from microveil.synthesis.parts.training import Cells, Training
from microveil.tables import Table


class Marginals(Generator):
    """Draw each column independently from its own values: no relation is preserved.

    A baseline for comparison. Missing cells are drawn like values; rare numbers are smoothed. Time
    grows with the number of cells.
    """

    generator: Literal["marginals"] = "marginals"
    takes_given: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    smoothing: int = Field(default=15, ge=0)
    """A number held by fewer records is moved among its neighbours; 0: numbers stay exact."""

    def fit(
        self,
        table: Table,
        rng: np.random.Generator,  # noqa: ARG002  nothing is left to chance yet
        given: Sequence[str] = (),
    ) -> MarginalsModel:
        """Keep each column's values."""
        return MarginalsModel(Training.of(table, given), self.smoothing)


class MarginalsModel(Fitted):
    """The values of each column."""

    def __init__(self, training: Training, window: int) -> None:
        self.training = training
        self.smoothings = {
            name: Smoothing.of(training.cells[name].astype(np.float64), window)
            for name in training.modelled
            if window and isinstance(training.columns[name], NumberColumn)
        }
        self.facts = {}
        self.modelled = tuple((name,) for name in training.modelled)

    def sample(
        self,
        n: int,
        rng: np.random.Generator,
        given: pl.DataFrame | None = None,  # noqa: ARG002  nothing depends on it
    ) -> pl.DataFrame:
        """Draw column by column."""
        drawn: Cells = {}
        for name in self.training.modelled:
            rows = draw_rows(n, self.training.n, self.training.weights, rng)
            cells = self.training.cells[name][rows]
            if name in self.smoothings:
                cells = self.smoothings[name].smooth(cells.astype(np.float64), rng)
            drawn[name] = cells
        return self.training.frame(drawn)
