"""Perturbation tables of magnitudes: noise at some levels, and between them what lies between."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from microveil.arrays import Floats
from microveil.errors import FileError
from microveil.files.texts import read_text
from microveil.tabulation.counted import KEY_ERROR
from microveil.tabulation.protections.cell_keys.noise_rows import noise_shares

ROUNDED = 1e-5
"""By how much the probabilities of a file may miss 1: files have some eight digits."""


@dataclass(frozen=True, eq=False)
class LevelTable:
    """The noise of magnitudes, in units of what a cell may change by.

    A cell's level is its value in these units. Its noise is read from the rows of the levels around
    it and lies between both, so that it never takes a cell below zero.

    >>> table = LevelTable.of(deviation=2, variance=0.8, step=0.5)
    >>> table.look_up(np.array([0.0, 9.0]), np.array([0.2, 0.999])).tolist()
    [0.0, 2.0]
    """

    levels: Floats
    """Levels that have a row, in increasing order, the first of them zero."""
    rows: tuple[tuple[Floats, Floats], ...]
    """For each level the possible noise, and the upper ends of the intervals of keys."""

    @classmethod
    def of(cls, *, deviation: int, variance: float, step: float) -> LevelTable:
        """Rows of most entropy for the levels from zero to the largest deviation."""
        rows: list[tuple[Floats, Floats]] = [(np.zeros(1), np.ones(1))]
        for level in range(1, deviation + 1):
            n_below, n_above = round(level / step), round(deviation / step)
            moves = np.arange(-n_below, n_above + 1, dtype=np.float64) * step
            shares = noise_shares(moves, variance, f"level {level}")
            rows.append((moves, _ends(shares)))
        return cls(np.arange(deviation + 1, dtype=np.float64), tuple(rows))

    @classmethod
    def read(cls, path: str | Path) -> LevelTable:
        """A perturbation table of magnitudes as ptable and τ-Argus write it: ``i;j;p;…``."""
        shares: dict[float, dict[float, float]] = {}
        for number, line in enumerate(read_text(path).splitlines()[1:], 2):
            try:
                i, j, p = (float(part) for part in line.replace('"', "").split(";")[:3])
            except ValueError:
                raise FileError(
                    "{path}: line {line} is no row 'i;j;p' of a perturbation table.",
                    path=path,
                    line=number,
                ) from None
            shares.setdefault(i, {})[j - i] = p
        wrong = [i for i, row in shares.items() if abs(sum(row.values()) - 1) > ROUNDED]
        if 0.0 not in shares or wrong:
            raise FileError(
                "{path}: the row of count {count} is missing, or its probabilities do not add up "
                "to 1.",
                path=path,
                count=wrong[0] if wrong else 0,
            )
        levels = np.array(sorted(shares))
        return cls(levels, tuple(_row(shares[level]) for level in levels.tolist()))

    def look_up(self, levels: Floats, keys: Floats) -> Floats:
        """The noise of each level, between those of the rows below and above it."""
        held = np.minimum(levels, self.levels[-1])
        above = np.clip(np.searchsorted(self.levels, held, side="left"), 1, len(self.levels) - 1)
        low, high = self.levels[above - 1], self.levels[above]
        share = (held - low) / (high - low)
        moves = np.array([self._moves(row, keys) for row in range(len(self.levels))])
        at = np.arange(len(keys))
        return np.asarray((1 - share) * moves[above - 1, at] + share * moves[above, at])

    def _moves(self, row: int, keys: Floats) -> Floats:
        """The noise that one row has for each key."""
        moves, ends = self.rows[row]
        return np.asarray(moves[np.searchsorted(ends[:-1], keys - KEY_ERROR, side="left")])


def _row(shares: dict[float, float]) -> tuple[Floats, Floats]:
    moves = np.array(sorted(shares))
    return moves, _ends(np.array([shares[move] for move in moves.tolist()]))


def _ends(shares: Any) -> Floats:
    return np.asarray(np.cumsum(shares / shares.sum()))
