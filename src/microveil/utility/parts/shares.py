"""Shares of a whole."""

import numpy as np


def share(part: float, whole: float) -> float:
    """``part / whole``; 0 of nothing.

    >>> share(1, 4), share(1, 0)
    (0.25, 0.0)
    """
    return float(np.divide(part, whole)) if whole else 0.0
