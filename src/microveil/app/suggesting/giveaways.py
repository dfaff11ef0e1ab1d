"""Giveaways: released columns that give a key back, so that hiding the key alone is in vain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from microveil.app.coarsening import Ladder
from microveil.arrays import Longs
from microveil.release.deriving import fills_gaps, gives_away

Rungs = tuple[int, ...]

SAMPLE = 5_000
"""Records by which pairs of columns are judged."""
IN_FULL = 40_000
"""Records up to which it is counted in full what fills gaps: few rows share an exact amount."""
KEPT = 100.0
"""Importance of a key whose suppressed cells another column would give back."""


@dataclass(frozen=True, eq=False)
class Giveaways:
    """Which keys other columns determine, on whatever rungs those are."""

    ladders: Sequence[Ladder]
    others: Sequence[pl.Series] = ()
    """Columns that are released beside the keys, as they leave."""
    _found: dict[tuple[int, int, int], bool] = field(default_factory=dict)
    _filled: dict[tuple[int, int, int, int], bool] = field(default_factory=dict)

    def givers(self, key: int, rungs: Rungs) -> list[int]:
        """Places of the shown keys that determine another; -1 stands for a column that is no key.

        A key that is left out gives nothing away, but comes back like any other.
        """
        found = [
            place
            for place, rung in enumerate(rungs)
            if place != key and not self._is_gone(place, rung) and self._gives(place, rung, key)
        ]
        return [*([-1] if self._told_by_others(key) else []), *found]

    def known_rungs(self, rungs: Rungs) -> Rungs:
        """The rungs as an intruder knows the keys: exactly, where another column tells."""
        return tuple(
            0 if rung and self.givers(place, rungs) else rung for place, rung in enumerate(rungs)
        )

    def importance(self, rungs: Rungs) -> dict[str, float]:
        """Keys in which suppression would be in vain are worth much."""
        return {
            ladder.values.name: KEPT
            for place, ladder in enumerate(self.ladders)
            if not self._is_gone(place, rungs[place])
            and (self.givers(place, rungs) or self._is_filled(place, rungs))
        }

    def _is_filled(self, key: int, rungs: Rungs) -> bool:
        """Whether a key on its rung is told by another on its own: one year by another."""
        shown = [
            (place, rung)
            for place, rung in enumerate(rungs)
            if place != key and not self._is_gone(place, rung)
        ]
        return any(self._fills(place, rung, key, rungs[key]) for place, rung in [*shown, (-1, 0)])

    def _fills(self, place: int, rung: int, key: int, key_rung: int) -> bool:
        at = (place, rung, key, key_rung)
        if at not in self._filled:
            labels = self.ladders[key].labels[key_rung]
            columns = self.others if place < 0 else [self.ladders[place].labels[rung]]
            rows = slice(None) if len(labels) <= IN_FULL else self._rows
            self._filled[at] = any(fills_gaps(column[rows], labels[rows]) for column in columns)
        return self._filled[at]

    @cached_property
    def _rows(self) -> Longs:
        """Records by which it is judged whether a column gives a key away."""
        height = len(self.ladders[0].values)
        if height <= SAMPLE:
            return np.arange(height)
        return np.random.default_rng(height).choice(height, SAMPLE, replace=False)

    def _is_gone(self, place: int, rung: int) -> bool:
        ladder = self.ladders[place]
        return ladder.leave_out and rung == len(ladder.rungs) - 1 and rung > 0

    def _gives(self, place: int, rung: int, key: int) -> bool:
        at = (place, rung, key)
        if at not in self._found:
            column = self.ladders[place].labels[rung]
            self._found[at] = self._judge(column, key)
        return self._found[at]

    def _told_by_others(self, key: int) -> bool:
        at = (-1, 0, key)
        if at not in self._found:
            self._found[at] = any(self._judge(column, key) for column in self.others)
        return self._found[at]

    def _judge(self, column: pl.Series, key: int) -> bool:
        return gives_away(column[self._rows], self.ladders[key].values[self._rows])
