"""Shares of a whole."""

import numpy as np

from microveil.arrays import Floats

MOST = 1e150
"""Largest relative change: numbers next to 0 are capped here."""


def share(part: float, whole: float) -> float:
    """``part / whole``; 0 if the whole is 0.

    >>> share(1, 4), share(1, 0)
    (0.25, 0.0)
    """
    return float(np.divide(part, whole)) if whole else 0.0


def relative_moves(before: Floats, after: Floats) -> Floats:
    """Relative change of numbers other than 0.

    >>> relative_moves(np.array([2.0, -4.0]), np.array([3.0, -4.0])).tolist()
    [0.5, 0.0]
    """
    with np.errstate(over="ignore"):
        return np.asarray(np.minimum(np.abs(before - after) / np.abs(before), MOST))
