"""Distances of numbers to runs of a sorted list of numbers, as labels stand for them."""

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel, stood_in_for

MOST_CELLS = 20_000_000
"""Distances that NumPy finds in the loop's place: less than a second's worth."""


def sum_distances(values: Floats, chosen: Longs, low: Longs, high: Longs) -> Floats:
    """Sum of the distances from each chosen value to the values of each run: (chosen, runs).

    ``values`` are ascending, ``chosen`` are positions among them, a run goes from ``low`` to
    ``high``, exclusive.

    >>> sum_distances(np.array([0.0, 1.0, 4.0]), np.array([1]), np.array([0, 2]), np.array([2, 3]))
    array([[1., 3.]])
    """
    total = np.append(0.0, np.cumsum(values))
    if stood_in_for(_sum_distances, len(chosen) * len(low), MOST_CELLS):
        return _by_columns(values, total, chosen, low, high)
    found = np.empty((len(chosen), len(low)))
    _sum_distances(values, total, chosen, (low, high), found)
    return found


def _by_columns(values: Floats, total: Floats, chosen: Longs, low: Longs, high: Longs) -> Floats:
    split = np.clip(chosen[:, None], low, high)
    x = values[chosen][:, None]
    below = (split - low) * x - (total[split] - total[low])
    above = (total[high] - total[split]) - (high - split) * x
    return np.asarray(np.maximum(below + above, 0.0))


@kernel
def _sum_distances(
    values: Floats, total: Floats, chosen: Longs, runs: tuple[Longs, Longs], found: Floats
) -> None:
    lows, highs = runs
    for i in range(chosen.size):
        place, x = chosen[i], values[chosen[i]]
        for run in range(lows.size):
            low, high = lows[run], highs[run]
            split = min(max(place, low), high)
            below = (split - low) * x - (total[split] - total[low])
            above = (total[high] - total[split]) - (high - split) * x
            found[i, run] = max(below + above, 0.0)
