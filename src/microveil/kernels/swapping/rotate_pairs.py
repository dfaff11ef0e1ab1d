"""Rotating pairs of records: a random orthogonal transform at linear cost."""

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel


def rotate_pairs(points: Floats, order: Longs, cosine: float) -> None:
    """Rotate each pair of consecutive records in `order`, in place.

    The first of a pair becomes cosine · first + sine · second, the second cosine · second −
    sine · first; the last of an odd number is unchanged, and so are records not in `order`. Sums
    of squares and products of columns are preserved. Time is linear.

    >>> points = np.array([[1.0], [3.0], [2.0]])
    >>> rotate_pairs(points, np.array([1, 0, 2]), 0.0)
    >>> points.tolist()
    [[-3.0], [1.0], [2.0]]
    """
    if len(order) > len(points) or not -1 <= cosine <= 1:
        raise ValueError("order names each record once at most, and cosine lies in [−1, 1].")
    _rotate_pairs(points, np.ascontiguousarray(order, dtype=np.int64), float(cosine))


@kernel
def _rotate_pairs(points: Floats, order: Longs, cosine: float) -> None:
    sine = np.sqrt(1 - cosine * cosine)
    for pair in range(order.size // 2):
        one, two = order[2 * pair], order[2 * pair + 1]
        for column in range(points.shape[1]):
            first, second = points[one, column], points[two, column]
            points[one, column] = cosine * first + sine * second
            points[two, column] = cosine * second - sine * first
