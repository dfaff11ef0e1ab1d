"""SSE: the share of variance that was lost."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from microveil.arrays import Floats
from microveil.measures.base import UtilityMeasure
from microveil.pairs.numbers import complete_numbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.utility.parts.shares import share


class Sse(UtilityMeasure):
    """100·SSE/SST: squared changes of standardised values over their squared deviations.

    The usual measure of microaggregation (Domingo-Ferrer & Mateo-Sanz 2002): 0 if nothing changed,
    100 if every value became the mean. Only complete records count; columns that were constant are
    left out. ``parts`` also has the plain sum of squares, each column in its own unit: of all
    (``sum``) and by column (``sums``).

    >>> score = Sse().measure({"x": [1.0, 3.0]}, {"x": [2.0, 2.0]})
    >>> score.value, score.parts["sum"]
    (100.0, 2.0)
    """

    question: ClassVar[str] = "How far did numbers move?"
    title: ClassVar[str] = "Squared moves"
    name: Literal["sse"] = "sse"
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to compare; by default all that are numeric before and after."""

    def score(self, original: Table, released: Table) -> Score:
        """Compare the squared changes with the squared deviations from the mean."""
        paired = complete_numbers(original, released, self.columns)
        if not len(paired.before):
            return Score(measure=self.kind(), value=0.0, scale="per cent")
        columns = zip(paired.before.T, paired.after.T, strict=True)
        lost, total, plain = np.array([_sums(*both) for both in columns]).reshape(-1, 3).T
        parts = {
            name: 100 * share(lost[number], total[number])
            for number, name in enumerate(paired.columns)
        }
        value = 100 * share(lost.sum(), total.sum())
        return Score(
            measure=self.kind(),
            value=value,
            scale="per cent",
            parts={
                "columns": parts,
                "sum": float(plain.sum()),
                "sums": dict(zip(paired.columns, plain.tolist(), strict=True)),
            },
        )


def _sums(before: Floats, after: Floats) -> tuple[float, float, float]:
    """Squared changes and deviations of a column in standard deviations; changes in its unit."""
    centred = before - before.mean()
    spread = np.sqrt((centred**2).mean())
    unit = spread or np.inf
    moves = before - after
    return (
        float(((moves / unit) ** 2).sum()),
        float(((centred / unit) ** 2).sum()),
        float((moves**2).sum()),
    )
