"""Combining: weights by which stored numbers add up to the wanted ones with minimal noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats

MOST_WORK = 3e7
"""Stored numbers × different atoms × the smaller of both: about a second."""
_TOLERANCE = 1e-7


@dataclass(frozen=True)
class Weights:
    """Weight of each stored number in each wanted one (wanted × stored)."""

    values: Floats


def combine(
    stored: NDArray[np.bool_], wanted: NDArray[np.bool_], spreads: Floats
) -> Weights | None:
    """The minimum-variance unbiased linear combination (Gauss 1823), or None if there is none.

    Rows say which atoms a number sums up. Weights w must satisfy w·stored = wanted, so that they
    give the right number for every table; of all such weights these have the smallest variance
    if the stored numbers are independent with standard deviations ``spreads``.
    """
    both = np.unique(np.concatenate([stored, wanted]).astype(np.int8), axis=1)
    known, target = both[: len(stored)].astype(float), both[len(stored) :].astype(float)
    relevant = known.any(axis=1)
    known, scale = known[relevant], spreads[relevant]
    if not target.any():
        # No row can satisfy such a condition, so the number is 0 without a query.
        return Weights(np.zeros((len(wanted), len(stored))))
    if not len(known) or known.size * min(known.shape) > MOST_WORK:
        return None
    scaled = known / scale[:, None]
    found, *_ = np.linalg.lstsq(scaled.T, target.T, rcond=1e-10)
    weights = found.T / scale
    # Most weights are integers up to rounding error.
    near = np.round(weights)
    weights = np.where(np.abs(weights - near) < _TOLERANCE / 100, near, weights)
    if np.abs(weights @ known - target).max(initial=0) > _TOLERANCE:
        return None
    values = np.zeros((len(wanted), len(stored)))
    values[:, relevant] = weights
    return Weights(values)
