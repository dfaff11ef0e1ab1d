"""A stable argsort, faster than NumPy's own, on one thread or on all."""

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.cores import blocks_of, map_on_cores
from microveil.kernels.jit import kernel
from microveil.kernels.sorting import merge_orders, sort_integers

BLOCK = 1 << 16
"""Values that are sorted by one thread before runs are merged."""


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


def stable_order_on_cores(values: Floats | Ints) -> Longs:
    """The same, by blocks on all cores, which are then merged in pairs.

    >>> stable_order_on_cores(np.array([2.0, 1.0, 2.0, 1.0])).tolist()
    [1, 3, 0, 2]
    """
    n = len(values)
    order: Longs = np.empty(n, dtype=np.int64)

    def sort(block: tuple[int, int]) -> None:
        order[slice(*block)] = np.argsort(values[slice(*block)], kind="stable") + block[0]

    map_on_cores(sort, blocks_of(n, BLOCK))
    width = BLOCK
    while width < n:
        into: Longs = np.empty(n, dtype=np.int64)
        pairs = [(start, min(start + width, n), stop) for start, stop in blocks_of(n, 2 * width)]
        map_on_cores(lambda pair: merge_orders(values, order, into, *pair), pairs)  # noqa: B023  done before the next
        order, width = into, 2 * width
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
