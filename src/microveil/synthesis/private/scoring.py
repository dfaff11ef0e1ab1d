"""Scores by which marginals are selected: the misfit of a model to the records, as integers.

Integer arithmetic guarantees the stated sensitivity of the scores; rounding in floating-point sums
could change it.
"""

from __future__ import annotations

import numpy as np

from microveil.arrays import Floats, Longs

PARTS = 1024
"""Number of units that a record counts as; expected counts are rounded to units."""


def misfit(counts: Longs, expected: Floats) -> int:
    """Sum of absolute differences in units; one record changes it by at most ``PARTS``.

    >>> misfit(np.array([3, 1]), np.array([2.5, 1.5])) / PARTS
    1.0
    """
    units = np.rint(expected.ravel() * PARTS).astype(np.int64)
    return int(np.abs(counts * PARTS - units).sum())
