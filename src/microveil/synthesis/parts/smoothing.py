"""Smoothing of numbers: a rare value is replaced by one close to it in rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from microveil.arrays import Floats


@dataclass(frozen=True, eq=False)
class Smoothing:
    """Rare numbers, sorted; each is replaced within a window of ranks.

    A number shared by at least ``window`` records (0, a round amount, a statutory limit) is kept,
    so that spikes are preserved. Any other is moved by up to ``window`` ranks among the rare
    numbers and interpolated between two of them; the range is preserved.
    """

    rare: Floats
    """Sorted numbers of the records whose number is rare."""
    window: int

    @classmethod
    def of(cls, numbers: Floats, window: int) -> Smoothing:
        """Find the numbers that fewer than ``window`` records have; NaN is ignored."""
        present = np.sort(numbers[~np.isnan(numbers)])
        _, counts = np.unique(present, return_counts=True)
        return cls(present[np.repeat(counts < window, counts)], window)

    def smooth(self, numbers: Floats, rng: np.random.Generator) -> Floats:
        """The numbers, with the rare ones moved."""
        n = len(self.rare)
        if n < 2:  # noqa: PLR2004  a lone number has no neighbour
            return numbers
        place = np.searchsorted(self.rare, numbers)
        moves = np.flatnonzero(self.rare[np.minimum(place, n - 1)] == numbers)
        # Equal numbers share a range of ranks: a record's rank among them is random.
        width = np.searchsorted(self.rare, numbers[moves], side="right") - place[moves]
        rank = place[moves] + rng.random(len(moves)) * np.maximum(width - 1, 0)
        rank += rng.uniform(-self.window, self.window, len(moves))
        # Ranks beyond an end are reflected; otherwise the ends would be drawn too often.
        rank = np.clip(np.abs(rank), 0, 2 * (n - 1))
        rank = np.where(rank > n - 1, 2 * (n - 1) - rank, rank)
        smoothed = numbers.copy()
        smoothed[moves] = np.interp(rank, np.arange(n), self.rare)
        return smoothed
