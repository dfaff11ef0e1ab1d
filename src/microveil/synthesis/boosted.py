"""Boosted: columns drawn one after another from gradient-boosted trees."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Bytes, Floats, Ints, Longs
from microveil.synthesis.parts.columns import CategoryColumn
from microveil.synthesis.parts.dichotomies import Dichotomies
from microveil.synthesis.parts.generator import Generator
from microveil.synthesis.parts.leaf_sizes import leaf_size
from microveil.synthesis.parts.levels import Levels
from microveil.synthesis.parts.sequence import (
    SequenceModel,
    SequenceStep,
    predictors_of,
    visit_order,
)
from microveil.synthesis.parts.smoothing import Smoothing
from microveil.synthesis.parts.training import Training
from microveil.tables import Table
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from microveil.kernels.synthesis.boost import Boosting


class Boosted(Generator):
    """Draw column by column, each from boosted trees that predict it from the previous ones.

    A value is found by bisection: boosted trees estimate the probability that it lies in the upper
    half of the ordered values, then in which half of that half, until few distinct values are left,
    from which a record is drawn (Frank & Kramer 2004; Friedman 2001). Relations are smoother than
    with ``cart``, at a higher cost in time, which hardly grows beyond 100,000 records. Missing
    cells and rare numbers are handled as in ``cart``.
    """

    generator: Literal["boosted"] = "boosted"
    takes_given: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    n_rounds: int = Field(default=30, ge=1, le=1000)
    """Number of trees per split."""
    learning_rate: float | None = Field(default=None, gt=0, le=1)
    """Share of the remaining error that each tree corrects: the more, the more influence single
    records have. By default 0.1."""
    most_depth: int = Field(default=6, ge=1, le=12)
    """Largest number of splits between the root of a tree and its leaves."""
    least_leaf: int | None = Field(default=None, ge=2)
    """Smallest number of records in a leaf, and in the final set a value is drawn from. By default
    120, but at most a tenth of the records (and at least 10): the fewer, the finer the relations
    that are kept, and the more single records show."""
    order: Columns = ()
    """Columns to draw first, in this order; the rest follow, columns with few values first."""
    predictors: Mapping[str, Columns] = Field(default_factory=dict)
    """Allowed predictors of some columns; others may depend on all drawn before them."""
    smoothing: bool = True
    """Whether to move a number held by fewer records than a leaf among its neighbours."""

    def fit(
        self, table: Table, rng: np.random.Generator, given: Sequence[str] = ()
    ) -> SequenceModel:
        """Boost column after column."""
        training = Training.of(table, given)
        boosting = self._boosting(table.height)
        before = list(training.given)
        steps, ladders = [], dict[str, Levels]()
        known: dict[str, Bytes] = {}
        for name in visit_order(training, self.order):
            step = SequenceStep(name, predictors_of(name, before, self.predictors))
            classes = ordered_classes(training, name)
            step.read(training, classes.astype(np.float64), ladders)
            levels = step.levels(training.cells, known)
            step.model = self._column(training, name, classes, levels, boosting, rng)
            steps.append(step)
            before.append(name)
        return SequenceModel(training, steps)

    def _boosting(self, n_records: int) -> Boosting:
        """How trees are grown, by the size of the table."""
        from microveil.kernels.synthesis.boost import Boosting
        from microveil.kernels.synthesis.grow_tree import Growth

        # Boosted trees remember single records of large tables, too, if their leaves are small.
        leaf = leaf_size(self.least_leaf, n_records, large=10, small=120, many=math.inf)
        rate = self.learning_rate or 0.1
        return Boosting(self.n_rounds, rate, Growth(leaf, 0.0, self.most_depth))

    def _column(
        self,
        training: Training,
        name: str,
        classes: Longs,
        levels: Bytes,
        boosting: Boosting,
        rng: np.random.Generator,
    ) -> BoostedColumn:
        least_leaf = boosting.growth.least_leaf
        cells = training.cells[name]
        if isinstance(training.columns[name], CategoryColumn):
            # Every category is asked for; rare ones share their last question.
            asked = Dichotomies.of(levels, classes, least_leaf, boosting, rng)
            return BoostedColumn(cells, asked, training.weights, None, None)
        missing = np.isnan(cells)
        absent = None
        if missing.any():
            flags = missing.astype(np.int64)
            absent = Dichotomies.of(levels, flags, 1, boosting, rng)
        rows = np.flatnonzero(~missing)
        present = np.ascontiguousarray(levels[:, rows])
        # Numbers within an end are told apart no further: about 64 ends are enough.
        least_end = max(least_leaf, len(rows) // 64)
        asked = Dichotomies.of(present, classes[rows], least_end, boosting, rng)
        numbers = cells[rows].astype(np.float64)
        smoothing = Smoothing.of(numbers, least_leaf) if self.smoothing else None
        weights = None if training.weights is None else training.weights[rows]
        return BoostedColumn(
            numbers, asked, weights, smoothing, (missing, absent, training.weights)
        )


class BoostedColumn:
    """The questions about one column, and the cells at their ends."""

    def __init__(
        self,
        cells: Ints | Floats,
        asked: Dichotomies,
        weights: Floats | None,
        smoothing: Smoothing | None,
        absent: tuple[Any, Dichotomies | None, Floats | None] | None,
    ) -> None:
        self.cells, self.asked, self.weights = cells, asked, weights
        self.smoothing, self.absent = smoothing, absent

    def draw(self, levels: Bytes, rng: np.random.Generator) -> Ints | Floats:
        """Donors' cells: rare numbers moved, then some made missing."""
        drawn = self.cells[self.asked.draw(levels, self.weights, rng)]
        if self.smoothing is not None:
            drawn = self.smoothing.smooth(drawn.astype(np.float64), rng)
        if self.absent is not None:
            missing, questions, weights = self.absent
            if questions is not None:
                drawn = np.where(missing[questions.draw(levels, weights, rng)], np.nan, drawn)
        return drawn

    @property
    def facts(self) -> Mapping[str, Any]:
        """Number of questions."""
        return {"n_questions": len(self.asked.questions)}

    @property
    def used(self) -> tuple[int, ...]:
        """Predictors that any question looks at."""
        return self.asked.used


def ordered_classes(training: Training, name: str) -> Longs:
    """A column as whole numbers: numbers in their order, categories by how many have them."""
    cells = training.cells[name]
    classes = np.unique(cells, return_inverse=True)[1].astype(np.int64)
    if not isinstance(training.columns[name], CategoryColumn):
        return classes
    counts = np.bincount(classes)
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return rank[classes]
