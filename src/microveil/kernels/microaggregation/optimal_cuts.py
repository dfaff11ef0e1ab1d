"""Optimal cuts of a sorted column into groups of k..2k−1 with the smallest sum of squares.

The best grouping of the first j values ends with a group i..j for some cut i (Hansen and
Mukherjee 2003: a shortest path). For small k all k cuts are tried. For large k the best cut never
moves down as j grows, so the k positions of a block, whose cuts all lie before the block, are
solved by divide and conquer in O(k log k).
"""

import numpy as np

from microveil.arrays import Floats, Ints
from microveil.kernels.jit import kernel

# Up to this k, trying all cuts is faster than divide and conquer (measured).
_SMALL_K = 64


def optimal_cuts(values: Floats, k: int) -> Ints:
    """Start of the last group in the best grouping of the first j values, for each j ≥ k.

    >>> cuts = optimal_cuts(np.array([1.0, 2.0, 3.0, 50.0, 51.0]), 2)
    >>> int(cuts[5]), int(cuts[3])
    (3, 0)
    """
    return _try_all_cuts(values, k) if k <= _SMALL_K else _cuts_by_blocks(values, k)


@kernel
def _try_all_cuts(values: Floats, k: int) -> Ints:
    n = values.size
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    cuts = np.zeros(n + 1, np.int32)
    shares = 1.0 / np.arange(1, 2 * k + 1)
    for stop in range(k, n + 1):
        # Offsets from a member of each candidate group: no cancellation, however large the values.
        origin = values[stop - 1]
        total, squares = 0.0, 0.0
        for start in range(stop - 1, stop - k, -1):
            offset = values[start] - origin
            total += offset
            squares += offset * offset
        for start in range(stop - k, max(stop - 2 * k, -1), -1):
            offset = values[start] - origin
            total += offset
            squares += offset * offset
            cost = best[start] + (squares - total * total * shares[stop - start - 1])
            if cost < best[stop]:
                best[stop] = cost
                cuts[stop] = start
    return cuts


@kernel
def _two_sum(first: float, second: float) -> tuple[float, float]:
    total = first + second
    shadow = total - first
    return total, (first - (total - shadow)) + (second - shadow)


@kernel
def _two_product(first: float, second: float) -> tuple[float, float]:
    """Product and its rounding error (Dekker 1971)."""
    product = first * second
    wide = 134217729.0 * first
    high_1 = wide - (wide - first)
    low_1 = first - high_1
    wide = 134217729.0 * second
    high_2 = wide - (wide - second)
    low_2 = second - high_2
    error = ((high_1 * high_2 - product) + high_1 * low_2 + low_1 * high_2) + low_1 * low_2
    return product, error


@kernel
def _fill_prefixes(values: Floats, first: int, stop: int, prefixes: Floats) -> None:
    """Prefix sums of the offsets and of their squares, as pairs of floats."""
    origin = values[(first + stop) // 2]
    prefixes[0, :] = 0.0
    for i in range(first, stop):
        row, below = prefixes[i - first + 1], prefixes[i - first]
        offset, lost = _two_sum(values[i], -origin)
        total, error = _two_sum(below[0], offset)
        row[0], row[1] = _two_sum(total, error + below[1] + lost)
        square, tail = _two_product(offset, offset)
        total, error = _two_sum(below[2], square)
        row[2], row[3] = _two_sum(total, error + below[3] + (tail + 2.0 * offset * lost))


@kernel
def _spread(prefixes: Floats, start: int, stop: int) -> float:
    """Sum of squares around the mean, for the values between two positions of a block."""
    low, high = prefixes[start], prefixes[stop]
    total, error = _two_sum(high[0], -low[0])
    error += high[1] - low[1]
    squares, rest = _two_sum(high[2], -low[2])
    rest += high[3] - low[3]
    mean = total / (stop - start)
    product, tail = _two_product(mean, total)
    # mean · (stop − start) misses total by its rounding error, which matters at this precision.
    whole, over = _two_product(mean, float(stop - start))
    missing = ((total - whole) - over) / (stop - start)
    tail += missing * total + 2.0 * mean * error
    return float(max((squares - product) + (rest - tail), 0.0))


@kernel
def _best_cut(
    best: Floats, prefixes: Floats, first: int, stop: int, low: int, high: int
) -> tuple[int, float]:
    found, least = high, np.inf
    for start in range(high, low - 1, -1):
        if best[start] < np.inf:
            cost = best[start] + _spread(prefixes, start - first, stop - first)
            if cost < least:
                found, least = start, cost
    return found, least


@kernel
def _cuts_by_blocks(values: Floats, k: int) -> Ints:
    n = values.size
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    cuts = np.zeros(n + 1, np.int32)
    prefixes = np.empty((3 * k + 1, 4))
    pending = np.empty((128, 4), np.int64)  # stops from, to; cuts from, to
    for block in range(k, n + 1, k):
        first, last = max(block - 2 * k + 1, 0), min(block + k - 1, n)
        _fill_prefixes(values, first, last, prefixes)
        pending[0, 0], pending[0, 1], pending[0, 2], pending[0, 3] = block, last, first, block - 1
        depth = 1
        while depth > 0:
            depth -= 1
            from_, to, low, high = pending[depth]
            if from_ > to:
                continue
            stop = (from_ + to) // 2
            cut, cost = _best_cut(
                best, prefixes, first, stop, max(low, stop - 2 * k + 1), min(high, stop - k)
            )
            best[stop] = cost
            cuts[stop] = cut
            pending[depth, 0], pending[depth, 1] = from_, stop - 1
            pending[depth, 2], pending[depth, 3] = low, cut
            pending[depth + 1, 0], pending[depth + 1, 1] = stop + 1, to
            pending[depth + 1, 2], pending[depth + 1, 3] = cut, high
            depth += 2
    return cuts
