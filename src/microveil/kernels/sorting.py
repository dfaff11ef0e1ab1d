"""Sorting within a loop. numba's own sorts take a second to compile, these a fifth of that."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Longs
from microveil.kernels.jit import kernel, kernel_like

_RUN = 16
"""So many numbers are sorted by insertion, before runs are merged."""


@kernel
def merge_orders(
    values: Any, order: Longs, into: Longs, start: int, middle: int, stop: int
) -> None:
    """Merge two neighbouring runs of positions; of equal values the first run's come first."""
    left, right = start, middle
    for place in range(start, stop):
        if left < middle and (right >= stop or values[order[left]] <= values[order[right]]):
            into[place] = order[left]
            left += 1
        else:
            into[place] = order[right]
            right += 1


def _argsort(values: NDArray[Any]) -> Longs:
    return np.argsort(values, kind="stable")


@kernel_like(_argsort)
def argsort(values: Any) -> Longs:
    """Positions of the values in ascending order, equal values by position; no NaN.

    >>> argsort(np.array([2.0, 1.0, 2.0])).tolist()
    [1, 0, 2]
    """
    n = values.size
    order, spare = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    for start in range(0, n, _RUN):
        for i in range(start + 1, min(start + _RUN, n)):
            place = i
            while place > start and values[order[place - 1]] > values[i]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = i
    width = _RUN
    while width < n:
        for start in range(0, n, 2 * width):
            merge_orders(
                values, order, spare, start, min(start + width, n), min(start + 2 * width, n)
            )
        order, spare = spare, order
        width *= 2
    return order


def _sort(numbers: NDArray[Any]) -> None:
    numbers.sort()


@kernel_like(_sort)
def sort_integers(numbers: Any) -> None:
    """Sort whole numbers in place.

    >>> numbers = np.array([3, 1, 2])
    >>> sort_integers(numbers)
    >>> numbers.tolist()
    [1, 2, 3]
    """
    n = numbers.size
    for start in range(0, n, _RUN):
        for i in range(start + 1, min(start + _RUN, n)):
            number, place = numbers[i], i
            while place > start and numbers[place - 1] > number:
                numbers[place] = numbers[place - 1]
                place -= 1
            numbers[place] = number
    if n <= _RUN:
        return
    width, spare = _RUN, numbers.copy()
    while width < n:
        for start in range(0, n, 2 * width):
            middle, stop = min(start + width, n), min(start + 2 * width, n)
            left, right = start, middle
            for place in range(start, stop):
                if left < middle and (right >= stop or numbers[left] <= numbers[right]):
                    spare[place] = numbers[left]
                    left += 1
                else:
                    spare[place] = numbers[right]
                    right += 1
        for i in range(n):
            numbers[i] = spare[i]
        width *= 2
