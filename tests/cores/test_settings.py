from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

import microveil as mv
from microveil.cores import n_threads, one_thread, settings, usable_cores
from microveil.cores.settings import LIBRARIES, VARIABLE, take_share
from microveil.errors import InputError


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (VARIABLE, *LIBRARIES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(settings, "_environment", {})
    monkeypatch.setattr(settings, "_threads", None)
    yield
    settings.threads = None


def test_without_a_setting_all_usable_cores_work() -> None:
    assert mv.settings is settings
    assert settings.threads == usable_cores()


@pytest.mark.parametrize("name", ["POLARS_MAX_THREADS", "OMP_NUM_THREADS"])
def test_variables_of_libraries_limit_but_never_add(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "1")
    assert settings.threads == 1
    monkeypatch.setenv(name, "4096")
    assert settings.threads == usable_cores()
    monkeypatch.setenv(name, "many")
    assert settings.threads == usable_cores()


def test_openmp_writes_a_number_for_each_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1,8")
    assert settings.threads == 1


def test_the_own_variable_counts_before_those_of_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "7")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert settings.threads == 7


def test_a_setting_reaches_child_processes_and_can_be_taken_back() -> None:
    os.environ["OMP_NUM_THREADS"] = "2"
    settings.threads = 64
    assert settings.threads == 64
    assert all(os.environ[name] == "64" for name in (VARIABLE, *LIBRARIES))
    settings.threads = None
    assert os.environ["OMP_NUM_THREADS"] == "2"
    assert VARIABLE not in os.environ
    del os.environ["OMP_NUM_THREADS"]


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True])
def test_threads_are_whole_and_at_least_one(wrong: int) -> None:
    with pytest.raises(InputError, match="one or larger"):
        settings.threads = wrong


def test_a_block_uses_another_number_and_returns_to_the_old() -> None:
    with settings.using(threads=3):
        assert n_threads() == 3
        with settings.using(threads=1):
            assert n_threads() == 1
        assert n_threads() == 3
    assert n_threads() == usable_cores()
    assert repr(settings) == f"Settings(threads={usable_cores()})"


def test_a_thread_with_a_share_uses_no_more() -> None:
    from threading import Thread

    found: list[int] = []

    def look() -> None:
        take_share(2)
        found.append(n_threads())

    with settings.using(threads=8):
        thread = Thread(target=look)
        thread.start()
        thread.join()
        assert n_threads() == 8
    assert found == [2]


def told(code: str) -> str:
    done = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout + done.stderr


def test_polars_and_linear_algebra_start_with_the_setting() -> None:
    code = """
import microveil as mv
mv.settings.threads = 1
import polars, numpy, threadpoolctl
print(polars.thread_pool_size(), {one["num_threads"] for one in threadpoolctl.threadpool_info()})
"""
    assert told(code).startswith("1 {1}")


def test_it_is_said_when_polars_has_more_threads_already() -> None:
    code = """
import os
os.environ["POLARS_MAX_THREADS"] = "4"
import polars, microveil as mv
mv.settings.threads = 3
"""
    assert "Polars has 4 threads and keeps them" in told(code)


def test_linear_algebra_keeps_to_one_thread_within_a_block() -> None:
    import numpy as np
    from threadpoolctl import threadpool_info

    def counts() -> list[int]:
        return [one["num_threads"] for one in threadpool_info()]

    np.linalg.qr(np.eye(2))
    before = counts()
    with one_thread():
        assert set(counts()) == {1}
    assert counts() == before
