"""A priority queue: the best entry comes out first; ties go to the smaller entry."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.kernels.jit import kernel


class Queue(NamedTuple):
    """A binary heap of fixed capacity."""

    worth: Floats
    entry: Longs
    state: Longs  # [entries in the queue]


@kernel
def open_queue(room: int) -> Queue:
    """An empty queue."""
    return Queue(np.zeros(room), np.zeros(room, np.int64), np.zeros(1, np.int64))


@kernel
def _before(queue: Queue, first: int, second: int) -> bool:
    if queue.worth[first] != queue.worth[second]:
        return bool(queue.worth[first] > queue.worth[second])
    return bool(queue.entry[first] < queue.entry[second])


@kernel
def _exchange(queue: Queue, first: int, second: int) -> None:
    worth, entry = queue.worth[first], queue.entry[first]
    queue.worth[first], queue.entry[first] = queue.worth[second], queue.entry[second]
    queue.worth[second], queue.entry[second] = worth, entry


@kernel
def push(queue: Queue, worth: float, entry: int) -> None:
    """Add an entry."""
    place = queue.state[0]
    queue.worth[place], queue.entry[place] = worth, entry
    queue.state[0] += 1
    while place > 0 and _before(queue, place, (place - 1) // 2):
        _exchange(queue, place, (place - 1) // 2)
        place = (place - 1) // 2


@kernel
def pop(queue: Queue) -> None:
    """Remove the best entry, the one at position 0."""
    queue.state[0] -= 1
    size = queue.state[0]
    queue.worth[0], queue.entry[0] = queue.worth[size], queue.entry[size]
    place = 0
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and _before(queue, child + 1, child):
            child += 1
        if not _before(queue, child, place):
            break
        _exchange(queue, place, child)
        place = child
