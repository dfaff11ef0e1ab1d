"""Columns as normal scores and back: each value corresponds to an interval of the normal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from microveil.arrays import Floats, Ints, Longs


@dataclass(frozen=True, eq=False)
class Margin:
    """The values of a column in order, with cumulative shares of the records."""

    values: Floats
    """Distinct values, sorted."""
    order: Longs
    """Positions of the values in the order of their scores."""
    edges: Floats
    """Share of the records before each value of that order, and 1 at the end."""

    @classmethod
    def of(cls, cells: Ints | Floats, weights: Floats | None, scores: Floats | None) -> Margin:
        """Read a column without missing cells; ``scores`` order its distinct values."""
        values, kinds = np.unique(cells.astype(np.float64), return_inverse=True)
        counts = np.bincount(kinds, weights=weights, minlength=len(values)).astype(np.float64)
        order = np.arange(len(values)) if scores is None else np.argsort(scores, kind="stable")
        edges = np.concatenate([[0.0], np.cumsum(counts[order])])
        return cls(values, order, edges / max(edges[-1], np.finfo(float).tiny))

    def kinds(self, cells: Ints | Floats) -> Longs:
        """Position of each cell's value in the order; for an unseen value, that of a neighbour."""
        found = np.searchsorted(self.values, cells.astype(np.float64))
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        return place[np.minimum(found, len(self.values) - 1)]

    def mean_scores(self) -> Floats:
        """Expected normal score of each position in the order."""
        from scipy.special import ndtri

        heights = np.exp(-(ndtri(self.edges) ** 2) / 2) / np.sqrt(2 * np.pi)
        widths = np.diff(self.edges)
        scores: Floats = np.zeros(len(widths))
        np.divide(heights[:-1] - heights[1:], widths, out=scores, where=widths > 0)
        return scores

    def spread_scores(self, cells: Ints | Floats, rng: np.random.Generator) -> Floats:
        """A normal score for each cell, drawn from the interval of its value."""
        from scipy.special import ndtri

        places = self.kinds(cells)
        low, high = self.edges[places], self.edges[places + 1]
        shares = low + rng.random(len(places)) * (high - low)
        scores: Floats = ndtri(np.clip(shares, 1e-12, 1 - 1e-12))
        return scores

    def cells(self, scores: Floats) -> Floats:
        """The values whose intervals scores fall into."""
        from scipy.special import ndtr

        places = np.searchsorted(self.edges, ndtr(scores), side="right") - 1
        # A position with zero weight has no width and is hit only by rounding.
        found: Floats = self.values[self.order[np.clip(places, 0, len(self.order) - 1)]]
        return found
