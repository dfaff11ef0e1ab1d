"""The perturbation table: the noise of every count, looked up by a cell key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import FileError, system_reason
from microveil.files import write_text
from microveil.tabulation.counted import KEY_ERROR
from microveil.tabulation.protections.cell_keys.noise_rows import NoiseRow, noise_row

ROUNDED = 1e-6
"""By how much probabilities that were written down may miss 1."""


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
        place = np.argmax(keys[:, None] <= ends[at] + KEY_ERROR, axis=1)
        return np.asarray(moves[at, place])

    @classmethod
    def read(cls, path: str | Path) -> NoiseTable:
        """A perturbation table as ptable and τ-Argus write it: ``i;j;p;…`` with a header."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise FileError(
                "{path}: cannot be read ({reason}).", path=path, reason=system_reason(error)
            ) from None
        shares: dict[int, dict[int, float]] = {}
        for number, line in enumerate(text.splitlines()[1:], 2):
            try:
                i, j, p = line.replace('"', "").split(";")[:3]
                shares.setdefault(int(i), {})[int(j)] = float(p)
            except ValueError:
                raise FileError(
                    "{path}: line {line} is no row 'i;j;p' of a perturbation table.",
                    path=path,
                    line=number,
                ) from None
        for count, row in enumerate(sorted(shares)):
            if row != count or abs(sum(shares[row].values()) - 1) > ROUNDED:
                raise FileError(
                    "{path}: the row of count {count} is missing, or its probabilities do not add "
                    "up to 1.",
                    path=path,
                    count=count,
                )
        return cls(tuple(_row(count, shares[count]) for count in sorted(shares)))

    def write(self, path: str | Path) -> None:
        """Write the table as ptable and τ-Argus read it."""
        lines = ["i;j;p;v;p_int_ub"]
        for row in self.rows:
            ends = np.cumsum(row.shares)
            for target, share, end in zip(row.targets, row.shares, ends, strict=True):
                move = int(target) - row.true_count
                lines.append(f"{row.true_count};{target};{share:.10f};{move};{end:.10f}")
        write_text("\n".join(lines) + "\n", path)

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


def _row(count: int, shares: dict[int, float]) -> NoiseRow:
    targets = sorted(shares)
    p = np.array([shares[target] for target in targets])
    return NoiseRow(count, np.array(targets), p / p.sum())
