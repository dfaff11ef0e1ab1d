"""Nearest-neighbour distance ratio: whether released records copy isolated people."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.pairs.columns import Column
from microveil.risk.attacks.base import (
    Attacked,
    AttackMeasure,
    attack_columns,
    released_targets,
    targets,
)
from microveil.risk.attacks.neighbours import Side, Space
from microveil.risk.attacks.rates import Rate, Rates
from microveil.scores import Score
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Longs = NDArray[np.int64]

FEWEST = 3
"""With fewer people nobody has two neighbours other than themselves."""


class NearestNeighbourRatio(AttackMeasure):
    """Share of released records unusually close to one person compared with the next.

    For a released record, the nearest-neighbour distance ratio (NNDR) is the distance to the
    nearest person of the original over that to the second nearest. It is close to 1 in a crowd,
    close to 0 next to an isolated person, and 1 if both distances are 0, since duplicates hide each
    other. The usual ratios are those of the control to the original or, without a control, of each
    person to the others. The limit is the ``share`` quantile of these ratios, and the value is the
    excess of released records at or below it. ``parts`` has the limit, the median ratios and their
    lowest quantile; ``records`` has the ratio of each released record when all are examined (the
    ratio as in Zhao et al. 2021).

    Time grows with attacks × records × columns.
    """

    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Released records that copy a person"
    name: Literal["nearest_neighbour_ratio"] = "nearest_neighbour_ratio"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    columns: Columns = ()
    """Columns to compare records by; by default all that both tables have."""
    share: float = Field(default=0.05, gt=0, lt=1)
    """Share of the usual ratios that counts as low."""

    def attack(self, case: Attacked, rng: np.random.Generator) -> Score:
        """Compare released records with people."""
        tables = original, released, control = case.tables
        names = attack_columns(tables, self.columns, attack="The nearest-neighbour ratio")
        columns = case.columns(names)
        nothing = Rate(0, 0.0, self.confidence)
        if released.height == 0 or original.height < FEWEST:
            return Rates(nothing, nothing).score(self.kind())
        rows = released_targets(columns, self.n_attacks, rng)
        ratios = _ratios(columns, "released", rows)
        if control is None:
            others = targets(original.height, self.n_attacks, rng)
            usual = _ratios(columns, "original", others, others)
        else:
            others = targets(control.height, self.n_attacks, rng)
            usual = _ratios(columns, "control", others)
        limit = float(np.quantile(usual, self.share, method="lower"))
        low = Rate(len(ratios), float((ratios <= limit).sum()), self.confidence)
        reference = Rate(len(usual), float((usual <= limit).sum()), self.confidence)
        rates = Rates(low, reference, reference if control is not None else None)
        parts = {
            "limit": limit,
            "median": float(np.median(ratios)),
            "usual_median": float(np.median(usual)),
            "low_quantile": float(np.quantile(ratios, self.share)),
            "usual_low_quantile": float(np.quantile(usual, self.share)),
        }
        everybody = len(rows) == released.height
        return rates.score(self.kind(), parts=parts, records=ratios if everybody else None)


def _ratios(columns: list[Column], side: Side, rows: Longs, skip: Longs | None = None) -> Floats:
    """Distance to the nearest person over that to the second nearest; 1 where both are 0."""
    first, second, _ = Space(columns, side, "original").nearest(rows, skip)
    return np.where(second > 0, first / np.where(second > 0, second, 1.0), 1.0)
