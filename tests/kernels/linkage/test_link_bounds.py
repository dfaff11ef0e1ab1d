from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.arrays import Longs
from microveil.kernels.linkage.link_bounds import CLOSE, in_threads, limits


@given(st.floats(0, 1e12))
def test_rounding_neither_beats_nor_misses_a_tie(bound: float) -> None:
    below, above = limits(bound)
    assert below < bound < above or bound == 0
    assert below <= bound <= above
    for nearly in (bound * (1 + 1e-12), bound * (1 - 1e-12)):
        assert below <= nearly <= above
    if bound > 1e-12:
        assert bound * (1 - 3 * CLOSE) < below
        assert bound * (1 + 3 * CLOSE) > above


@pytest.mark.parametrize(("n", "chunk"), [(0, 3), (1, 3), (3, 3), (10, 3), (1000, 7)])
def test_every_row_is_worked_on_once_in_chunks(n: int, chunk: int) -> None:
    counts = np.zeros(n, dtype=np.int64)
    sizes: list[int] = []
    lock = threading.Lock()

    def work(rows: Longs) -> None:
        with lock:
            sizes.append(len(rows))
            counts[rows] += 1

    in_threads(work, np.arange(n), chunk)
    assert (counts == 1).all()
    assert sum(sizes) == n
    assert max(sizes, default=0) <= chunk


def test_a_fault_in_a_thread_is_not_swallowed() -> None:
    def work(rows: Longs) -> None:
        raise ZeroDivisionError(len(rows))

    for n in (1, 10):
        with pytest.raises(ZeroDivisionError):
            in_threads(work, np.arange(n), 3)
