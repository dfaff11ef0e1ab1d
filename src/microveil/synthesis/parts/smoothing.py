"""Smoothing of numbers: a rare number is not drawn as it was, but near its neighbours in rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from microveil.synthesis.parts.columns import Floats


@dataclass(frozen=True, eq=False)
class Smoothing:
    """Numbers that few records have, sorted; each is replaced within a window of ranks.

    A number that at least ``window`` records have (0, a round amount, a statutory limit) stays,
    so that spikes stay spikes. Any other moves by up to ``window`` ranks among its kind, and lies
    between two of them; none leaves the range.
    """

    rare: Floats
    """Sorted numbers of the records whose number is rare."""
    window: int

    @classmethod
    def of(cls, numbers: Floats, window: int) -> Smoothing:
        """Find the numbers that fewer than ``window`` records have; NaN is left aside."""
        present = np.sort(numbers[~np.isnan(numbers)])
        _, counts = np.unique(present, return_counts=True)
        return cls(present[np.repeat(counts < window, counts)], window)

    def smooth(self, numbers: Floats, rng: np.random.Generator) -> Floats:
        """The numbers, the rare ones among them moved."""
        n = len(self.rare)
        if n < 2:  # noqa: PLR2004  a lone number has no neighbour
            return numbers
        place = np.searchsorted(self.rare, numbers)
        moves = np.flatnonzero(self.rare[np.minimum(place, n - 1)] == numbers)
        # Equal numbers share a place: where among them a record stands is left to chance.
        width = np.searchsorted(self.rare, numbers[moves], side="right") - place[moves]
        rank = place[moves] + rng.random(len(moves)) * np.maximum(width - 1, 0)
        rank += rng.uniform(-self.window, self.window, len(moves))
        # Ranks beyond an end are reflected, or the ends would be drawn too often.
        rank = np.clip(np.abs(rank), 0, 2 * (n - 1))
        rank = np.where(rank > n - 1, 2 * (n - 1) - rank, rank)
        smoothed = numbers.copy()
        smoothed[moves] = np.interp(rank, np.arange(n), self.rare)
        return smoothed
