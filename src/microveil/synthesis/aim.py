"""AIM: marginals selected round by round where the model is worst, measured with noise."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from pydantic import Field

from microveil.synthesis.private.adaptive import AdaptiveRun, Limits
from microveil.synthesis.private.generator import Mechanism, PrivateGenerator, PrivateModel
from microveil.synthesis.private.marginals import CodedTable
from microveil.synthesis.private.measuring import measure_columns

SINGLE_SHARE = Fraction(3, 20)
"""Share of the budget for single columns."""


class Aim(PrivateGenerator):
    """Draw from marginals selected where the model was worst, with differential privacy.

    After the single columns, each round selects the pair or triple of columns that the model misses
    most beyond what noise would add, measures it and refits the model. The noise of a round is
    halved as soon as rounds stop being informative (McKenna, Mullins, Sheldon and Miklau 2022).
    Time grows with the rounds (about three to five times the number of columns) and with
    ``max_cells``; the number of records matters little.
    """

    generator: Literal["aim"] = "aim"
    order: int = Field(default=3, ge=2, le=3)
    """Largest number of columns in a measured relation."""
    max_cells: int = Field(default=1_000_000, ge=1000)
    """Largest number of cells in the model's tables: bounds time and memory (8 bytes a cell)."""

    def learn(self, table: CodedTable, mechanism: Mechanism) -> PrivateModel:
        """Measure columns, then one marginal a round until the budget is spent."""
        total = mechanism.spending.total
        alone = len(table.sizes) == 1
        singles = measure_columns(table, mechanism, total if alone else SINGLE_SHARE * total)
        compact = singles.compression.forward(table)
        run = AdaptiveRun(compact, singles, mechanism, Limits(self.order, self.max_cells))
        while not run.finished:
            run.advance()
        return PrivateModel(run.model, singles.compression, run.evidence())
