from __future__ import annotations

import threading
import time
from contextvars import ContextVar

import numpy as np
import pytest

from microveil.cores import (
    blocks_of,
    cells_on_cores,
    map_on_cores,
    n_threads,
    one_thread,
    settings,
    shared_pool,
)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_results_come_in_the_order_of_the_tasks(threads: int) -> None:
    def work(task: int) -> int:
        time.sleep(0.001 * (10 - task))
        return task * task

    with settings.using(threads=threads):
        assert map_on_cores(work, range(10)) == [task * task for task in range(10)]


def test_no_more_threads_work_than_allowed_even_when_tasks_spread_theirs() -> None:
    busy: set[int] = set()
    most = 0
    lock = threading.Lock()

    def leaf(_: int) -> None:
        nonlocal most
        with lock:
            busy.add(threading.get_ident())
            most = max(most, len(busy))
        time.sleep(0.003)
        with lock:
            busy.discard(threading.get_ident())

    with settings.using(threads=6):
        map_on_cores(lambda _: map_on_cores(leaf, range(8)), range(3))
    assert 2 <= most <= 6


def test_a_task_gets_its_share() -> None:
    with settings.using(threads=8):
        assert map_on_cores(lambda _: n_threads(), range(2)) == [4, 4]
        assert map_on_cores(lambda _: n_threads(), range(20)) == [1] * 20
        with shared_pool(100, workers=4) as pool:
            assert set(pool.map(lambda _: n_threads(), range(9))) == {2}


def test_after_an_error_no_task_is_begun() -> None:
    begun: list[int] = []

    def work(task: int) -> None:
        begun.append(task)
        if task == 0:
            raise ValueError("broken")
        time.sleep(0.005)

    with settings.using(threads=2), pytest.raises(ValueError, match="broken"):
        map_on_cores(work, range(1000))
    assert len(begun) < 1000


def test_one_task_stays_on_this_thread() -> None:
    with settings.using(threads=4):
        assert map_on_cores(lambda _: threading.get_ident(), [0]) == [threading.get_ident()]


def test_blocks_cover_everything_once() -> None:
    assert blocks_of(0, 4) == []
    assert blocks_of(9, 4) == [(0, 4), (4, 8), (8, 9)]


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_cells_in_blocks_are_those_of_the_whole(threads: int) -> None:
    first, second = np.arange(100.0), np.arange(100.0)[::-1]
    with settings.using(threads=threads):
        found = cells_on_cores(np.maximum, first, second, size=7)
    assert found.tolist() == np.maximum(first, second).tolist()


def test_tasks_see_what_their_caller_has_set_for_itself() -> None:
    word: ContextVar[str] = ContextVar("word", default="nothing")
    word.set("something")
    with settings.using(threads=3):
        assert map_on_cores(lambda _: word.get(), range(6)) == ["something"] * 6


def test_linear_algebra_has_its_threads_back_after_the_last_of_several_blocks() -> None:
    from threadpoolctl import threadpool_info

    def limits() -> list[int]:
        return [one["num_threads"] for one in threadpool_info()]

    before = limits()
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert limits() == [1] * len(before)
    second.__exit__(None, None, None)
    assert limits() == before
