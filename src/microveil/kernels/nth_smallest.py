"""The n-th smallest of many codes, in linear time whatever their order."""

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.kernels.jit import kernel, kernel_like

BUCKETS = 1024
FEW = 24
"""Up to this many codes, insertion sort is faster than counting into buckets."""


def nth_smallest(codes: Ints, n: int) -> int:
    """The code at position n, counted from 0, in sorted order.

    Codes are counted into buckets of equal width; only the bucket that holds position n is
    examined again. No input order is slow: each round divides the span by up to 1024.

    >>> nth_smallest(np.array([5, 1, 4, 1], dtype=np.int32), 2)
    4
    """
    if not 0 <= n < len(codes):
        raise ValueError(f"There is no position {n} among {len(codes)} codes.")
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    scratch, counts = np.empty(len(codes), np.int32), np.empty(BUCKETS, np.int64)
    return int(select_nth(codes, int(codes.min()), int(codes.max()), n, scratch, counts))


def _partition(codes: Ints, low: int, high: int, n: int, scratch: Ints, totals: Longs) -> int:  # noqa: ARG001  as the loop
    return int(np.partition(codes, n)[n])


@kernel_like(_partition)
def select_nth(codes: Ints, low: int, high: int, n: int, scratch: Ints, totals: Longs) -> int:
    """The n-th smallest code; all lie in [low, high]. `scratch` is as long as `codes`."""
    left = codes.size
    if left <= FEW:
        for i in range(left):
            scratch[i] = codes[i]
        return _nth_of_few(scratch, left, n)
    left, low, high, n = _narrow(codes, left, low, high, n, scratch, totals)
    while low < high and left > FEW:
        left, low, high, n = _narrow(scratch, left, low, high, n, scratch, totals)
    return low if low == high else _nth_of_few(scratch, left, n)


@kernel
def _narrow(
    codes: Ints, size: int, low: int, high: int, n: int, scratch: Ints, totals: Longs
) -> tuple[int, int, int, int]:
    """Move the codes of the bucket that holds position n to the start of `scratch`."""
    most = BUCKETS
    while most > 2 * size:
        most >>= 1
    shift = 0
    while (high - low) >> shift >= most:
        shift += 1
    totals[: ((high - low) >> shift) + 1] = 0
    for i in range(size):
        totals[(codes[i] - low) >> shift] += 1
    bucket = 0
    while n >= totals[bucket]:
        n -= totals[bucket]
        bucket += 1
    left = totals[bucket]
    low += bucket << shift
    high = min(high, low + (1 << shift) - 1)
    if shift == 0:
        return left, low, low, n
    kept = 0
    for i in range(size):
        code = codes[i]
        if low <= code <= high:
            scratch[kept] = code
            kept += 1
    return left, low, high, n


@kernel
def _nth_of_few(scratch: Ints, size: int, n: int) -> int:
    for i in range(1, size):
        code = scratch[i]
        j = i - 1
        while j >= 0 and scratch[j] > code:
            scratch[j + 1] = scratch[j]
            j -= 1
        scratch[j + 1] = code
    return int(scratch[n])
