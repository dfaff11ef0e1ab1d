"""Marginal errors: distances between the one-, two- and three-way marginals of two tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, prod

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.statistics.quantile_groups import quantile_groups
from microveil.tables.kinds import is_number, numbers_of
from microveil.tables.values import as_text

SINGLE_NUMBERS = 256
"""Numeric columns with at most this many distinct values are compared value by value."""
GROUPS = 20
"""Number of groups of about equal size for other numeric columns."""
MOST_SETS = 500
"""If there are more sets of columns than this, this many are sampled."""
SEED = 2026


class CommonCodes:
    """The cells of both tables in common codes."""

    def __init__(self, original: pl.DataFrame, synthetic: pl.DataFrame) -> None:
        """Code every column of the original."""
        self.n = (original.height, synthetic.height)
        pairs = [_codes(original[name], synthetic[name]) for name in original.columns]
        self.before = [one[0] for one in pairs]
        self.after = [one[1] for one in pairs]
        self.sizes = [int(max(a.max(initial=0), b.max(initial=0))) + 1 for a, b in pairs]

    def distance(self, columns: Sequence[int]) -> tuple[float, float]:
        """Sum of absolute differences of shares, and its expectation for a fresh sample."""
        keys = [self._cells(side, columns) for side in (self.before, self.after)]
        size = prod(self.sizes[column] for column in columns)
        if size > 4 * sum(self.n):
            # Only cells that occur matter.
            found, places = np.unique(np.concatenate(keys), return_inverse=True)
            keys, size = np.split(places, [self.n[0]]), len(found)
        before, after = (
            np.bincount(key, minlength=size) / n for key, n in zip(keys, self.n, strict=True)
        )
        variance = before * (1 - before) / self.n[1]
        return float(np.abs(before - after).sum()), float(np.sqrt(2 / np.pi * variance).sum())

    def _cells(self, side: list[Longs], columns: Sequence[int]) -> Longs:
        place = np.zeros(len(side[columns[0]]), dtype=np.int64)
        for column in columns:
            place = place * self.sizes[column] + side[column]
        return place


def marginal_errors(
    original: pl.DataFrame, synthetic: pl.DataFrame
) -> Iterator[tuple[int, float, float]]:
    """Order, mean distance and mean distance of a fresh sample, for one, two and three columns."""
    codes = CommonCodes(original, synthetic)
    for order in range(1, min(3, original.width) + 1):
        found = [codes.distance(columns) for columns in _sets(original.width, order)]
        mean = np.mean(found, axis=0)
        yield order, float(mean[0]), float(mean[1])


def _sets(n_columns: int, order: int) -> list[tuple[int, ...]]:
    if comb(n_columns, order) <= MOST_SETS:
        return list(combinations(range(n_columns), order))
    rng = np.random.default_rng(SEED)
    drawn = {
        tuple(sorted(rng.choice(n_columns, order, replace=False).tolist()))
        for _ in range(MOST_SETS)
    }
    return sorted(drawn)


def _codes(before: pl.Series, after: pl.Series) -> tuple[Longs, Longs]:
    if is_number(before.dtype) and before.n_unique() > SINGLE_NUMBERS:
        ours, theirs, _ = quantile_groups(numbers_of(before), numbers_of(after), GROUPS)
        return ours, theirs
    texts = pl.concat([as_text(before), as_text(after).alias(before.name)])
    codes = texts.rank("dense").fill_null(0).to_numpy().astype(np.int64)
    return codes[: len(before)], codes[len(before) :]
