"""Nearest-neighbour distance ratio: whether released records copy isolated people."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field

from microveil.pairs.columns import Column
from microveil.pairs.reading import alike_rows, first_of_each
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
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.arrays import Floats, Longs

FEWEST = 3
"""With fewer people nobody has two neighbours other than themselves."""


class NearestNeighbourRatio(AttackMeasure):
    """Share of released records unusually close to one person compared with the next.

    For a released record, the nearest-neighbour distance ratio (NNDR) is the distance to the
    nearest record of the original over that to the next different one. It is close to 1 in a crowd,
    close to 0 next to an isolated person, and 0 for a copy. The usual ratios are those of the
    control to the original or, without a control, of each person to the others (0 if somebody else
    has the same record, so that copies of what many share are usual). The limit is the ``share``
    quantile of these ratios, and the value is the excess of released records at or below it.
    ``parts`` has the limit, the median ratios and their lowest quantile; ``records`` has the ratio
    of each released record when all are examined (the ratio as in Zhao et al. 2021).

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
        names = attack_columns(tables, self.columns, attack=phrase("The nearest-neighbour ratio"))
        columns = case.columns(names)
        nothing = Rate(0, 0.0, self.confidence)
        if released.height == 0 or original.height < FEWEST:
            return Rates(nothing, nothing).score(self.kind())
        people = _People.of(case, columns)
        rows = released_targets(columns, self.n_attacks, rng, people.released)
        ratios = people.ratios(columns, "released", rows)
        if control is None:
            others = targets(original.height, self.n_attacks, rng)
            if people.rows is not None:
                others = people.rows[targets(len(people.rows), self.n_attacks, rng)]
            usual = people.usual(columns, others)
        else:
            others = targets(control.height, self.n_attacks, rng)
            usual = people.ratios(columns, "control", others)
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


class _People(NamedTuple):
    """The distinct records of the original, and how many people have each."""

    among: Longs
    """First row of each distinct record."""
    of_row: Longs
    n_people: Longs
    rows: Longs | None
    """With an entity: original rows, one of those that say the same about a person."""
    released: Longs | None
    """The same for released rows."""

    @classmethod
    def of(cls, case: Attacked, columns: list[Column]) -> _People:
        """Find the distinct records of the original."""
        codes = [column.codes for column in columns]
        before, after = (
            pl.DataFrame({str(place): one[side] for place, one in enumerate(codes)})
            for side in (0, 1)
        )
        found = alike_rows(np.zeros(before.height, dtype=np.int64), before)
        own = case.original.people
        each = np.arange(before.height) if own is None else first_of_each(own, before)
        n_people = np.bincount(found.of_row[each], minlength=len(found.rows))
        theirs = None if case.reading is None else case.reading.people_released
        return cls(
            found.rows,
            found.of_row,
            n_people,
            None if own is None else each,
            None if theirs is None else first_of_each(theirs, after),
        )

    def ratios(self, columns: list[Column], side: Side, rows: Longs) -> Floats:
        """Distance to the nearest distinct record over that to the next."""
        first, second, _ = Space(columns, side, "original").nearest(rows, None, self.among)
        return _ratio(first, second)

    def usual(self, columns: list[Column], rows: Longs) -> Floats:
        """The same for people among the others; 0 next to somebody else with the same record."""
        own = self.of_row[rows]
        first, second, _ = Space(columns, "original", "original").nearest(rows, own, self.among)
        return np.where(self.n_people[own] > 1, 0.0, _ratio(first, second))


def _ratio(first: Floats, second: Floats) -> Floats:
    """1 where both distances are 0: labels may leave several people equally near."""
    there = np.isfinite(second) & (second > 0)
    return np.where(there, first / np.where(there, second, 1.0), 1.0)
