"""Nested dichotomies: a column is drawn by repeatedly halving its ordered values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microveil.arrays import Bytes, Floats, Longs

if TYPE_CHECKING:
    from microveil.kernels.synthesis.boost import Boosting, Ensemble


MOST_FITTED = 100_000
"""Largest number of records from which one dichotomy is learnt."""


@dataclass(frozen=True, eq=False)
class Question:
    """Whether a value is in the upper half of a range of ordered classes."""

    ensemble: Ensemble
    below: int
    """Dichotomy of the lower half; negative: its donors, counted from −1 down."""
    above: int


@dataclass(frozen=True, eq=False)
class Dichotomies:
    """Nested dichotomies of ordered classes, with donors at the leaves (Frank & Kramer 2004)."""

    questions: tuple[Question, ...]
    """A range comes before its halves; empty if there is nothing to split."""
    donors: tuple[Longs, ...]
    """Records from which a record at a leaf takes its value."""

    @classmethod
    def of(
        cls,
        levels: Bytes,
        classes: Longs,
        least_end: int,
        boosting: Boosting,
        rng: np.random.Generator,
    ) -> Dichotomies:
        """Split until a single class, or too few records to learn from, are left."""
        grower = _Grower(levels, classes, least_end, boosting, rng)
        grower.grow(np.argsort(classes, kind="stable"))
        return cls(tuple(grower.questions), tuple(grower.donors))

    def draw(self, levels: Bytes, weights: Floats | None, rng: np.random.Generator) -> Longs:
        """Position of a donor for each record."""
        from microveil.kernels.synthesis.boost import log_odds

        n = levels.shape[1]
        found = np.empty(n, dtype=np.int64)
        waiting = [(0 if self.questions else -1, np.arange(n))]
        while waiting:
            number, rows = waiting.pop()
            if number < 0:
                found[rows] = _draw(self.donors[-1 - number], len(rows), weights, rng)
                continue
            question = self.questions[number]
            chance = 1 / (1 + np.exp(-log_odds(question.ensemble, levels[:, rows])))
            above = rng.random(len(rows)) < chance
            waiting += [(question.above, rows[above]), (question.below, rows[~above])]
        return found

    @property
    def used(self) -> tuple[int, ...]:
        """Predictors used by a dichotomy."""
        features = [one.ensemble.feature for one in self.questions]
        return tuple(sorted({int(one) for some in features for one in np.unique(some) if one >= 0}))


class _Grower:
    """Dichotomies and donors under construction."""

    def __init__(
        self,
        levels: Bytes,
        classes: Longs,
        least_end: int,
        boosting: Boosting,
        rng: np.random.Generator,
    ) -> None:
        self.levels, self.classes, self.least_end = levels, classes, least_end
        self.boosting, self.rng = boosting, rng
        self.questions: list[Question] = []
        self.donors: list[Longs] = []

    def grow(self, rows: Longs) -> int:
        """Split records sorted by class; the number of the dichotomy, or of the donors."""
        cut = self._cut(rows) if len(self.levels) else 0
        if not cut:
            self.donors.append(rows)
            return -len(self.donors)
        number = len(self.questions)
        asked = Question(self._learn(rows, cut), 0, 0)
        self.questions.append(asked)
        below, above = self.grow(rows[:cut]), self.grow(rows[cut:])
        self.questions[number] = Question(asked.ensemble, below, above)
        return number

    def _cut(self, rows: Longs) -> int:
        """The class boundary nearest to the middle with enough on both sides; 0 if none."""
        classes = self.classes[rows]
        changes = np.flatnonzero(classes[1:] != classes[:-1]) + 1
        changes = changes[(changes >= self.least_end) & (len(rows) - changes >= self.least_end)]
        if not len(changes):
            return 0
        return int(changes[np.abs(changes - len(rows) / 2).argmin()])

    def _learn(self, rows: Longs, cut: int) -> Ensemble:
        from microveil.kernels.synthesis.boost import boost

        answers = np.zeros(len(rows))
        answers[cut:] = 1.0
        if len(rows) > MOST_FITTED:
            some = self.rng.choice(len(rows), MOST_FITTED, replace=False)
            rows, answers = rows[some], answers[some]
        return boost(np.ascontiguousarray(self.levels[:, rows]), answers, self.boosting)


def _draw(donors: Longs, n: int, weights: Floats | None, rng: np.random.Generator) -> Longs:
    if weights is None:
        return donors[rng.integers(0, len(donors), n)]
    heaped = np.cumsum(weights[donors])
    places = np.searchsorted(heaped, rng.random(n) * heaped[-1], side="right")
    found: Longs = donors[np.minimum(places, len(donors) - 1)]
    return found
