"""CART: columns drawn one after another from classification and regression trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Bytes, Floats, Ints
from microveil.cores import map_on_cores
from microveil.synthesis.parts.columns import CategoryColumn
from microveil.synthesis.parts.donors import Donors
from microveil.synthesis.parts.generator import Generator
from microveil.synthesis.parts.leaf_sizes import leaf_size
from microveil.synthesis.parts.sequence import (
    SequenceModel,
    SequenceStep,
    levels_of_numbers,
    predictors_of,
    visit_order,
)
from microveil.synthesis.parts.smoothing import Smoothing
from microveil.synthesis.parts.training import Training
from microveil.tables import Table
from microveil.tables.roles import Columns

FEW_NUMBERS = 100
"""Numbers with at most this many distinct values are treated as classes, others by rank."""


class Cart(Generator):
    """Draw column by column, each from a tree that predicts it from the previous ones.

    A new record falls into a leaf of each column's tree and takes the value of a random record of
    that leaf (Reiter 2005). A tree splits by the Gini index for categories and numbers with few
    distinct values, and by the squared error of ranks for other numbers. Whether a number is
    missing has its own tree; a missing category is a category. Rare numbers are smoothed. Time
    grows with records × columns² × depth.
    """

    generator: Literal["cart"] = "cart"
    takes_given: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    least_leaf: int | None = Field(default=None, ge=2)
    """Smallest number of records in a leaf: fewer keep finer relations, and copy more. By default
    15 in tables of 20,000 records or more, 80 in smaller ones, but no more than a tenth of them."""
    order: Columns = ()
    """Columns to draw first, in this order; the rest follow, columns with few values first."""
    predictors: Mapping[str, Columns] = Field(default_factory=dict)
    """Allowed predictors of some columns; others may depend on all drawn before them."""
    smoothing: bool = True
    """Whether to move a number held by fewer records than a leaf among its neighbours."""
    proper: bool = False
    """Whether records of a leaf are weighted by a Bayesian bootstrap, redrawn for each copy, so
    that copies reflect the model's uncertainty; for the combining rules of full synthesis."""

    def fit(
        self,
        table: Table,
        rng: np.random.Generator,  # noqa: ARG002  nothing is left to chance yet
        given: Sequence[str] = (),
    ) -> SequenceModel:
        """Grow the trees."""
        training = Training.of(table, given)
        least_leaf = leaf_size(self.least_leaf, table.height, large=15, small=80)
        before = list(training.given)
        steps = []
        for name in visit_order(training, self.order):
            steps.append(SequenceStep(name, predictors_of(name, before, self.predictors)))
            before.append(name)
        ladders, known = levels_of_numbers(training, steps)

        def grow(step: SequenceStep) -> None:
            target = tree_target(training, step.name)
            step.read(training, target, ladders)
            levels = step.levels(training.cells, known)
            step.model = self._column(training, step.name, target, levels, least_leaf)

        # The last columns have the most predictors and take the longest.
        map_on_cores(grow, steps[::-1])
        return SequenceModel(training, steps)

    def _column(
        self,
        training: Training,
        name: str,
        target: Ints | Floats,
        levels: Bytes,
        least_leaf: int,
    ) -> CartColumn:
        cells, weights = training.cells[name], training.weights
        if isinstance(training.columns[name], CategoryColumn):
            donors = self._grow(levels, target, weights, least_leaf)
            return CartColumn(cells, donors, None, None)
        missing = np.isnan(cells)
        absent = None
        if missing.any():
            absent = self._grow(levels, missing.astype(np.int32), weights, least_leaf)
        rows = np.flatnonzero(~missing)
        present = None if weights is None else weights[rows]
        donors = self._grow(levels[:, rows], target[rows], present, least_leaf)
        smoothing = None
        if self.smoothing:
            smoothing = Smoothing.of(cells[rows].astype(np.float64), least_leaf)
        return CartColumn(cells[rows], donors, absent, smoothing, missing)

    def _grow(
        self, levels: Bytes, target: Ints | Floats, weights: Floats | None, least_leaf: int
    ) -> Donors:
        """A tree of classes or of numbers, ready for drawing."""
        from microveil.kernels.synthesis.grow_tree import Growth, grow_classes, grow_numbers

        growth = Growth(least_leaf)
        if target.dtype.kind == "f":
            tree = grow_numbers(levels, target.astype(np.float64), growth)
        else:
            n_classes = int(target.max(initial=0)) + 1
            tree = grow_classes(levels, target.astype(np.int32), n_classes, growth)
        return Donors.of(tree, weights, proper=self.proper)


class CartColumn:
    """The tree of one column, the cells its leaves give, and the tree of what is missing."""

    def __init__(
        self,
        cells: Ints | Floats,
        donors: Donors,
        absent: Donors | None,
        smoothing: Smoothing | None,
        missing: np.ndarray[Any, np.dtype[np.bool_]] | None = None,
    ) -> None:
        self.cells, self.donors, self.absent = cells, donors, absent
        self.smoothing, self.missing = smoothing, missing

    def draw(self, levels: Bytes, rng: np.random.Generator) -> Ints | Floats:
        """Donors' cells: rare numbers moved, then some made missing."""
        drawn = self.cells[self.donors.draw(levels, rng)]
        if self.smoothing is not None:
            drawn = self.smoothing.smooth(drawn.astype(np.float64), rng)
        if self.absent is not None and self.missing is not None:
            drawn = np.where(self.missing[self.absent.draw(levels, rng)], np.nan, drawn)
        return drawn

    @property
    def facts(self) -> Mapping[str, Any]:
        """Number of leaves."""
        return {"n_leaves": self.donors.n_leaves}

    @property
    def used(self) -> tuple[int, ...]:
        """Predictors of either tree."""
        absent = () if self.absent is None else self.absent.used
        return tuple(sorted({*self.donors.used, *absent}))


def tree_target(training: Training, name: str) -> Ints | Floats:
    """What a tree predicts: classes (whole numbers from 0 on), or ranks between 0 and 1."""
    cells = training.cells[name]
    if isinstance(training.columns[name], CategoryColumn):
        return (cells + 1).astype(np.int32)
    missing = np.isnan(cells)
    distinct, kinds, counts = np.unique(cells[~missing], return_inverse=True, return_counts=True)
    if len(distinct) <= FEW_NUMBERS:
        classes = np.zeros(len(cells), dtype=np.int32)
        classes[~missing] = kinds + 1
        return classes
    ranks = np.full(len(cells), 0.5)
    ranks[~missing] = ((np.cumsum(counts) - counts / 2) / counts.sum())[kinds]
    return ranks
