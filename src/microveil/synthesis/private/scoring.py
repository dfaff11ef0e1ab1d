"""Scores by which marginals are chosen: how far a model is from the records, as whole numbers.

Exact arithmetic keeps the scores' sensitivity what it is claimed to be: rounding of floating-point
sums could change it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

PARTS = 1024
"""A record counts as so many units; expected counts are rounded to units."""


def misfit(counts: Longs, expected: Floats) -> int:
    """Sum of the absolute differences in units; one record changes it by ``PARTS`` at most.

    >>> misfit(np.array([3, 1]), np.array([2.5, 1.5])) / PARTS
    1.0
    """
    units = np.rint(expected.ravel() * PARTS).astype(np.int64)
    return int(np.abs(counts * PARTS - units).sum())
