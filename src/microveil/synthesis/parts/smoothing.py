"""Smoothing of numbers: a rare one is replaced by one close to it in rank, a tail by its shape."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.cores import cells_on_cores
from microveil.synthesis.parts.grids import FEW


@dataclass(frozen=True, eq=False)
class Smoothing:
    """Rare numbers, sorted; each is replaced within a window of ranks.

    A number shared by at least ``window`` records (0, a round amount, a statutory limit) is kept,
    so that spikes are preserved. Any other is moved by up to ``window`` ranks among the rare
    numbers and interpolated between two of them. The ``window`` largest and smallest rare numbers
    are first replaced by an exponential tail that ends at the fifth largest or smallest number, so
    that no synthetic record shows whether a single extreme one is in the data.
    """

    rare: Floats
    """Sorted numbers of the records whose number is rare."""
    replacements: Floats
    """What is interpolated in place of each rare number: the same, but for the tails."""
    window: int

    @classmethod
    def of(cls, numbers: Floats, window: int) -> Smoothing:
        """Find the numbers that fewer than ``window`` records have; NaN is ignored."""
        present = np.sort(numbers[~np.isnan(numbers)])
        _, counts = np.unique(present, return_counts=True)
        is_rare = np.repeat(counts < window, counts)
        rare, common = present[is_rare], present[~is_rare]
        # Of a short column at most a third is an end.
        end = min(window, len(present) // 3)
        above = _replace_tail(rare, present[-end:]) if end else rare
        below = -_replace_tail(-above[::-1], -present[:end][::-1])[::-1] if end else rare
        if len(rare) == 1 and len(common):
            # It has no rare neighbour: the nearest number that many have takes its place.
            below = common[[np.abs(common - below).argmin()]]
        return cls(rare, below, window)

    def smooth(self, numbers: Floats, rng: np.random.Generator) -> Floats:
        """The numbers, with the rare ones moved."""
        n = len(self.rare)
        if not n:
            return numbers
        place = cells_on_cores(self._places, numbers)
        moves = np.flatnonzero(place >= 0)
        # Equal numbers share a range of ranks: a record's rank among them is random.
        draws = rng.random(len(moves))
        steps = rng.uniform(-self.window, self.window, len(moves))
        smoothed = numbers.copy()
        smoothed[moves] = cells_on_cores(self._move, place[moves], draws, steps)
        return smoothed

    def _places(self, numbers: Floats) -> Longs:
        """Where each number stands among the rare ones; −1 if it is not one of them."""
        place = np.searchsorted(self.rare, numbers)
        is_rare = self.rare[np.minimum(place, len(self.rare) - 1)] == numbers
        return np.where(is_rare, place, -1)

    def _move(self, place: Longs, draws: Floats, steps: Floats) -> Floats:
        """What takes the place of rare numbers, a random step away from their rank."""
        last = len(self.rare) - 1
        rank = place + draws * np.maximum(self._widths[place] - 1, 0)
        rank += steps
        # Ranks beyond an end are reflected; otherwise the ends would be drawn too often.
        rank = np.clip(np.abs(rank), 0, 2 * last)
        return self._between(np.where(rank > last, 2 * last - rank, rank))

    @cached_property
    def _widths(self) -> Longs:
        """How many rare numbers are equal to each."""
        ends = np.flatnonzero(np.append(self.rare[1:] != self.rare[:-1], values=True))
        widths = np.diff(ends, prepend=-1)
        return np.repeat(widths, widths)

    def _between(self, rank: Floats) -> Floats:
        """What stands at ranks, which may lie between two replacements."""
        below = np.minimum(rank.astype(np.int64), max(len(self.replacements) - 2, 0))
        low = self.replacements[below]
        high = self.replacements[np.minimum(below + 1, len(self.replacements) - 1)]
        between: Floats = (high - low) * (rank - below) + low
        return np.where(rank == below + 1, high, between)


def _replace_tail(rare: Floats, top: Floats) -> Floats:
    """Rare numbers above the least of ``top``, replaced by quantiles of an exponential tail.

    ``top`` holds the largest numbers, sorted. The tail's scale follows from their median, which
    one extreme number hardly moves, and so does its end: a few of the largest lie beyond it.
    """
    first = int(np.searchsorted(rare, top[0], side="right"))
    n_tail = len(rare) - first
    if not n_tail:
        return rare
    end = top[-min(FEW, len(top) // 2 + 1)]
    # Sums of the largest numbers are not representable, and an extreme one leaves no digits.
    unit = float(max(abs(top[0]), abs(end))) or 1.0
    start, length = top[0] / unit, (end - top[0]) / unit
    scale = (np.median(np.minimum(top, end) / unit) - start) / np.log(2)
    shares = (np.arange(n_tail) + 0.5) / n_tail
    reach = -np.expm1(-length / scale) if scale > 0 else 0.0
    tail = unit * (start - scale * np.log1p(-shares * reach))
    return np.concatenate([rare[:first], tail])
