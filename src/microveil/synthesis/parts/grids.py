"""Grids: the steps in which a column's numbers are written, but for what a few records write.

Where all incomes are in hundreds and one is not, a model that drew whole numbers would show that
this one is in the data. So a grid is what all but a few records keep to; those few are put on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats

EXACT = 2.0**53
"""Integers up to this are exact as floats."""
MOST_DECIMALS = 9
"""Numbers with more decimals than this are treated as continuous."""
FEW = 5
"""What fewer records than this do is theirs, and no property of the column."""
_SHARE = 20
"""Of a short column, fewer than one record in this many are a few."""


def whole_grid(offsets: NDArray[np.int64]) -> tuple[int, int]:
    """The step between whole numbers, and the place of one of its points.

    >>> whole_grid(np.array([0, 50, 150] * 40 + [1_000_000_007]))
    (50, 0)
    """
    step = int(np.gcd.reduce(offsets - offsets[0]))
    for wider in sorted(set(_wider_steps(offsets)), reverse=True):
        if wider <= step:
            break
        rests, counts = np.unique(offsets % wider, return_counts=True)
        if len(offsets) - counts.max() <= _few(len(offsets)):
            return wider, int(rests[counts.argmax()])
    return max(step, 1), int(offsets[0]) % max(step, 1)


def decimals_of(numbers: Floats, *, single: bool) -> int | None:
    """Smallest number of decimals that all but a few numbers have; None if there are too many."""
    close = 1e-6 if single else 1e-13
    for decimals in range(MOST_DECIMALS + 1):
        scaled = numbers * 10.0**decimals
        too_large = np.abs(scaled) > EXACT
        if too_large.sum() > _few(len(numbers)):
            return None
        off = ~np.isclose(scaled, np.rint(scaled), rtol=close, atol=0) | too_large
        if off.sum() <= _few(len(numbers)):
            return decimals
    return None


def _wider_steps(offsets: NDArray[np.int64]) -> Iterator[int]:
    """Steps of parts of the column: more parts than a few records can spoil."""
    n_parts = 2 * _few(len(offsets)) + 1
    if n_parts == 1:
        return
    parts = [offsets[start::n_parts] for start in range(n_parts)]
    steps = [int(np.gcd.reduce(part - part[0])) for part in parts]
    for one, other in combinations(range(n_parts), 2):
        yield int(np.gcd.reduce([steps[one], steps[other], int(parts[one][0] - parts[other][0])]))


def _few(n: int) -> int:
    """How many of n records may leave the grid."""
    return min(FEW - 1, n // _SHARE)
