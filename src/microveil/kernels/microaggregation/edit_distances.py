"""Edit distances: the smallest number of insertions, deletions and replacements of symbols."""

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.linkage.link_bounds import in_threads

_CHUNK = 64


def edit_distances(symbols: Ints, starts: Longs) -> NDArray[np.float32]:
    """Levenshtein distance of all pairs: sequence i is ``symbols[starts[i] : starts[i + 1]]``.

    Time grows with the squares of the number of sequences and of their length. All cores are used.

    >>> words = np.array([1, 2, 3, 1, 3], np.int32)
    >>> edit_distances(words, np.array([0, 3, 5, 5])).tolist()
    [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]
    """
    n = len(starts) - 1
    found = np.zeros((n, n), np.float32)
    symbols = np.ascontiguousarray(symbols, dtype=np.int32)
    starts = np.ascontiguousarray(starts, dtype=np.int64)
    in_threads(lambda rows: _edit_distances(symbols, starts, rows, found), np.arange(n), _CHUNK)
    return np.maximum(found, found.T)


@kernel
def _edit_distances(symbols: Ints, starts: Longs, rows: Longs, found: NDArray[np.float32]) -> None:
    longest = 0
    for i in range(len(starts) - 1):
        longest = max(longest, starts[i + 1] - starts[i])
    costs = np.empty(longest + 1, np.int32)
    for i in rows:
        first = symbols[starts[i] : starts[i + 1]]
        for j in range(i):
            second = symbols[starts[j] : starts[j + 1]]
            found[i, j] = _edits(first, second, costs)


@kernel
def _edits(first: Ints, second: Ints, costs: Ints) -> int:
    """The Wagner–Fischer algorithm, row by row."""
    for column in range(len(second) + 1):
        costs[column] = column
    for row in range(len(first)):
        corner = costs[0]
        costs[0] = row + 1
        for column in range(len(second)):
            other = corner if first[row] == second[column] else corner + 1
            corner = costs[column + 1]
            costs[column + 1] = min(other, corner + 1, costs[column] + 1)
    return int(costs[len(second)])
