"""Enumerating sets of columns, every subset before the set itself."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Longs
from microveil.kernels.jit import kernel

MOST_COLUMNS = 62
"""A set of columns is the bits of one number."""

_Number = TypeVar("_Number", np.int64, np.uint64)


@kernel
def next_set(path: Longs, depth: int, top: int, deeper: bool) -> int:  # noqa: FBT001  compiled: no keywords
    """Advance to the next set and return its size; 0 once all sets below `top` have been visited.

    A path holds the columns of a set, largest first. `deeper` descends to the sets that extend the
    current one by smaller columns; the others follow in the order of their bits.

    >>> path, size, seen = np.array([2, 0, 0]), 1, []
    >>> while size:
    ...     seen.append(path[:size].tolist())
    ...     size = next_set(path, size, 2, True)
    >>> seen
    [[2], [2, 0], [2, 1], [2, 1, 0]]
    """
    if deeper and path[depth - 1] > 0:
        path[depth] = 0
        return depth + 1
    while depth > 0:
        path[depth - 1] += 1
        if path[depth - 1] < (path[depth - 2] if depth > 1 else top + 1):
            break
        depth -= 1
    return depth


@kernel
def set_bits(path: Longs, depth: int) -> int:
    """The set as bits."""
    bits = 0
    for place in range(depth):
        bits |= 1 << path[place]
    return bits


@kernel
def double_rows(table: NDArray[_Number]) -> NDArray[_Number]:
    """A table with room for twice as many rows."""
    larger = np.zeros((2 * table.shape[0], table.shape[1]), table.dtype)
    # Cell by cell: a block assignment would also compile its shape error, for three seconds.
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            larger[row, column] = table[row, column]
    return larger
