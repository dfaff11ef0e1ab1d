"""Two samples of numbers in groups between the quantiles of the first."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.cores import cells_on_cores


def quantile_groups(before: Floats, after: Floats, n_groups: int) -> tuple[Longs, Longs, int]:
    """Group of each number in both samples, and the number of groups; the last one is missing.

    >>> first, second, n = quantile_groups(np.array([1.0, 2, 3, 4]), np.array([9.0, np.nan]), 2)
    >>> first.tolist(), second.tolist(), n
    ([0, 0, 1, 1], [1, 2], 3)
    """
    present = before[~np.isnan(before)]
    cuts = np.zeros(0)
    if len(present):
        shares = np.arange(1, n_groups) / n_groups
        cuts = np.unique(np.quantile(present, shares, method="inverted_cdf"))
    missing = len(cuts) + 1

    def group(part: Floats) -> Longs:
        return np.where(np.isnan(part), missing, np.searchsorted(cuts, part, side="left"))

    return cells_on_cores(group, before), cells_on_cores(group, after), missing + 1
