"""Leaves of a tree as groups of donors, from which a new record takes its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microveil.arrays import Bytes, Floats, Ints, Longs
from microveil.cores import cells_on_cores

if TYPE_CHECKING:
    from microveil.kernels.synthesis.grow_tree import DecisionTree


@dataclass(frozen=True, eq=False)
class Donors:
    """A grown tree, and the weight of each record when a donor is drawn from a leaf."""

    tree: DecisionTree
    weights: Floats | None
    """Weight of each record, in the order of the tree's rows; None: all equal."""
    proper: bool
    """Whether records are weighted by a Bayesian bootstrap, redrawn each time."""

    @classmethod
    def of(cls, tree: DecisionTree, weights: Floats | None, *, proper: bool = False) -> Donors:
        """Prepare the leaves for drawing."""
        return cls(tree, None if weights is None else weights[tree.rows], proper)

    def draw(self, levels: Bytes, rng: np.random.Generator) -> Longs:
        """Position of a donor for each record, drawn from the leaf it falls into."""
        from microveil.kernels.synthesis.grow_tree import find_leaves

        leaves = find_leaves(self.tree, levels)
        chance = rng.random(len(leaves))
        weights = self._drawn_weights(rng)
        heaped = None if weights is None else np.cumsum(weights)

        def draw_part(part: Ints, chance: Floats) -> Longs:
            start, end = self.tree.start[part], self.tree.end[part]
            places = start + (chance * (end - start)).astype(np.int64)
            if heaped is not None:
                before = np.where(start > 0, heaped[start - 1], 0.0)
                total = heaped[end - 1] - before
                found = np.searchsorted(heaped, before + chance * total, side="right")
                # In a leaf whose records all have weight 0, each is equally likely.
                places = np.where(total > 0, np.clip(found, start, end - 1), places)
            return self.tree.rows[places].astype(np.int64)

        return cells_on_cores(draw_part, leaves, chance)

    def _drawn_weights(self, rng: np.random.Generator) -> Floats | None:
        if not self.proper:
            return self.weights
        drawn = rng.standard_exponential(len(self.tree.rows))
        return drawn if self.weights is None else drawn * self.weights

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.tree.feature < 0).sum())

    @property
    def used(self) -> tuple[int, ...]:
        """Predictors that the tree splits by, by their position."""
        return tuple(int(one) for one in np.unique(self.tree.feature[self.tree.feature >= 0]))


def draw_rows(n: int, n_rows: int, weights: Floats | None, rng: np.random.Generator) -> Longs:
    """Positions of ``n`` records drawn with replacement, by weight if there are weights."""
    if weights is None:
        return rng.integers(0, n_rows, n)
    heaped = np.cumsum(weights)
    found = np.searchsorted(heaped, rng.random(n) * heaped[-1], side="right")
    rows: Longs = np.minimum(found, n_rows - 1)
    return rows
