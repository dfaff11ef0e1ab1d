"""A search of the family "group categories, then suppress cells", written apart from the library.

Every grouping that random descents reach is tried with local suppression as it is by default; the
score is sdcMicro's U. It shares nothing with the search of ``advise`` but the step itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import polars as pl

from microveil.methods import LocalSuppression
from microveil.tables import Missing

Grouping = tuple[tuple[int, ...], ...]


class BruteForce:
    """All groupings of all keys, by descents from drawn places until the time is over."""

    def __init__(self, frame: pl.DataFrame, k: int, missing: Missing, seed: int = 1) -> None:
        self.names = frame.columns
        self.values = [np.unique(column.to_numpy(), return_inverse=True)[1] for column in frame]
        self.n = [int(codes.max()) + 1 for codes in self.values]
        self.step = LocalSuppression(k=k, columns=self.names, missing=missing)
        self.rng = np.random.default_rng(seed)
        self.seen: dict[Grouping, float] = {}

    @property
    def plain(self) -> Grouping:
        """Nothing merged."""
        return tuple(tuple(range(n)) for n in self.n)

    def score(self, at: Grouping) -> float:
        """U of the grouping: a third of suppression rate plus category loss."""
        if at not in self.seen:
            grouped = {
                name: np.array(groups)[codes]
                for name, groups, codes in zip(self.names, at, self.values, strict=True)
            }
            after = self.step.protect(pl.DataFrame(grouped))
            rate = sum(after[name].null_count() for name in self.names) / after.height
            lost = sum(
                1 - after[name].drop_nulls().n_unique() / n
                for name, n in zip(self.names, self.n, strict=True)
            )
            self.seen[at] = (rate + lost) / len(self.names) / 3
        return self.seen[at]

    def near(self, at: Grouping) -> Iterator[Grouping]:
        """Two groups joined, or one value elsewhere."""
        for place, groups in enumerate(at):
            n_groups = max(groups) + 1
            for one, other in combinations(range(n_groups), 2):
                yield self._with(at, place, [one if g == other else g for g in groups])
            for value in range(len(groups)):
                for group in range(n_groups + 1):
                    yield self._with(at, place, [*groups[:value], group, *groups[value + 1 :]])

    def _with(self, at: Grouping, place: int, groups: list[int]) -> Grouping:
        number: dict[int, int] = {}
        same = tuple(number.setdefault(one, len(number)) for one in groups)
        return (*at[:place], same, *at[place + 1 :])

    def best(self, cpu_seconds: float) -> float:
        """The least U that was found in so much time of a processor."""
        end = time.process_time() + cpu_seconds
        here = self.plain
        while time.process_time() < end:
            self._descend(here, end)
            here = min(self.seen, key=lambda at: self.seen[at])
            for _ in range(int(self.rng.integers(1, 8))):
                ahead = list(self.near(here))
                here = ahead[int(self.rng.integers(len(ahead)))]
        return min(self.seen.values())

    def _descend(self, here: Grouping, end: float) -> None:
        moved = True
        while moved:
            moved = False
            ahead = list(self.near(here))
            for place in self.rng.permutation(len(ahead)):
                if time.process_time() > end:
                    return
                if self.score(ahead[int(place)]) < self.score(here) - 1e-12:
                    here, moved = ahead[int(place)], True
                    break

    def best_of_one_merge(self, column: str) -> float:
        """The least U where exactly two values of one column are merged, or none at all."""
        place = self.names.index(column)
        pairs = combinations(range(self.n[place]), 2)
        merged = (
            self._with(self.plain, place, [a if g == b else g for g in self.plain[place]])
            for a, b in pairs
        )
        return min(self.score(at) for at in (self.plain, *merged))
