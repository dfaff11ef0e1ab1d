"""The perturbation table: the noise of every count, looked up by a cell key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.tabulation.protections.cell_keys.noise_rows import NoiseRow, noise_row


@dataclass(frozen=True, eq=False)
class NoiseTable:
    """One row of noise per count; counts beyond the last have the noise of the last.

    >>> table = NoiseTable.of(deviation=2, variance=0.9)
    >>> table.look_up(np.array([0, 1, 9]), np.array([0.5, 0.5, 0.99])).tolist()
    [0, 0, 2]
    """

    rows: tuple[NoiseRow, ...]

    @classmethod
    def of(
        cls,
        *,
        deviation: int,
        variance: float,
        smallest: int = 0,
        stay: float | None = None,
        monotone: bool = True,
    ) -> NoiseTable:
        """The rows of most entropy, up to the count whose noise no condition at zero touches."""
        return cls(
            tuple(
                noise_row(
                    count,
                    deviation=deviation,
                    variance=variance,
                    smallest=smallest,
                    stay=stay,
                    monotone=monotone,
                )
                for count in range(deviation + smallest + 2)
            )
        )

    @cached_property
    def _steps(self) -> tuple[Floats, Longs]:
        """Cumulated probabilities and noise of each row, filled up to one width."""
        width = max(len(row.targets) for row in self.rows)
        ends, moves = np.ones((len(self.rows), width)), np.zeros((len(self.rows), width))
        for number, row in enumerate(self.rows):
            n = len(row.targets)
            ends[number, :n] = np.cumsum(row.shares)
            ends[number, n - 1 :] = 1.0
            moves[number, :n] = row.targets - row.true_count
            moves[number, n:] = moves[number, n - 1]
        return ends, moves.astype(np.int64)

    def look_up(self, counts: Longs, keys: Floats) -> Longs:
        """The noise of each count: the first interval whose upper end its key does not pass."""
        ends, moves = self._steps
        at = np.minimum(counts, len(self.rows) - 1)
        place = np.argmax(keys[:, None] <= ends[at], axis=1)
        return np.asarray(moves[at, place])

    def frame(self) -> pl.DataFrame:
        """The table as people exchange it: from, to, probability, upper end of the interval."""
        parts = [
            pl.DataFrame(
                {
                    "from": row.true_count,
                    "to": row.targets,
                    "share": row.shares,
                    "upper": np.cumsum(row.shares),
                }
            )
            for row in self.rows
        ]
        return pl.concat(parts)
