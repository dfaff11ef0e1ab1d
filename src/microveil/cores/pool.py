"""Blocks of work on several threads; the results come in the order of the blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, TypeVar

from microveil.cores.settings import n_threads, take_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELLS = 1 << 15
"""Cells that a thread works on at a time: they stay in its cache."""
Task = TypeVar("Task")
Result = TypeVar("Result")


def blocks_of(n: int, size: int) -> list[tuple[int, int]]:
    """Where blocks of ``size`` begin and end; they never depend on the number of threads.

    >>> blocks_of(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def map_on_cores(work: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
    """The result of each task, in order, from as many threads as the settings allow.

    Threads help only work that releases the GIL: compiled loops, NumPy on large arrays.

    >>> map_on_cores(abs, [-1, 2])
    [1, 2]
    """
    return list(stream_on_cores(work, tasks))


def stream_on_cores(work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
    """The same, each result as soon as those before it are there."""
    if min(n_threads(), len(tasks)) <= 1:
        yield from (work(task) for task in tasks)
        return
    # What the caller has set for its own thread (a language, a folder, NumPy's errors) holds there.
    contexts = [copy_context() for _ in tasks]
    with shared_pool(len(tasks)) as pool:
        yield from pool.map(Context.run, contexts, [work] * len(tasks), tasks)


def cells_on_cores(
    work: Callable[..., NDArray[Any]], *arrays: NDArray[Any], size: int = CELLS
) -> NDArray[Any]:
    """What a function makes of arrays of one length, cell by cell, block by block on all cores.

    >>> import numpy as np
    >>> cells_on_cores(np.maximum, np.array([1, 5]), np.array([3, 2])).tolist()
    [3, 5]
    """
    import numpy as np

    blocks = blocks_of(len(arrays[0]), size)
    if len(blocks) <= 1:
        return work(*arrays)
    return np.concatenate(
        map_on_cores(lambda block: work(*(array[slice(*block)] for array in arrays)), blocks)
    )


@contextmanager
def shared_pool(n_tasks: int, workers: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """Threads for some tasks: as many as the settings allow, or as given.

    A task that spreads its own work gets its share of the threads, so that there are never more
    of them than allowed. After an error or Ctrl-C no further task is begun.
    """
    allowed = n_threads()
    number = max(1, min(allowed if workers is None else workers, n_tasks))
    share = max(1, allowed // number)
    pool = ThreadPoolExecutor(number, "cores", initializer=take_share, initargs=(share,))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
