"""Compensated sums: a pair of floats (high, low) carries about 32 digits."""

from microveil.arrays import Floats
from microveil.kernels.jit import kernel


@kernel
def add_exactly(high: Floats, low: Floats, column: int, value: float) -> None:
    """Add a value to the running sum of a column, in place; `high` is the rounded sum.

    Subtracting every record again leaves exactly zero, so the centroid of the remaining records
    stays exact over a million removals (two-sum: Knuth; double-double: Dekker 1971).

    >>> import numpy as np
    >>> high, low = np.zeros(1), np.zeros(1)
    >>> for value in (1e16, 1.0, -1e16):
    ...     add_exactly(high, low, 0, value)
    >>> high.tolist()
    [1.0]
    """
    before = high[column]
    total = before + value
    shadow = total - before
    error = (before - (total - shadow)) + (value - shadow)
    error += low[column]
    high[column] = total + error
    low[column] = error - (high[column] - total)
