from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import codegen, cpu

from microveil.kernels import lean_compilation
from microveil.kernels.compilation import outer
from microveil.kernels.lean_compilation import lean

LOOPS = """
import sys
import numpy as np
from microveil.kernels.jit import always_compiled, kernel
from microveil.kernels.sorting import argsorted

@kernel
def scaled(values, by):
    return values * by

@kernel
def ranked(values, by):
    order = argsorted(scaled(values, by))
    return order[0] + 10 * order[-1]

if __name__ == "__main__":
    with always_compiled():
        ranked(np.array([3.0, 1.0, 2.0]), -2.0)
    print(ranked(np.array([3.0, 1.0, 2.0]), -2.0), sum(ranked._compiled.stats.cache_hits.values()))
"""
READ_ONLY = """
import os, runpy, sys
folder, writable = sys.argv[1], os.access
os.access = lambda path, mode: (
    writable(path, mode) and not (mode & os.W_OK and str(path).startswith(folder))
)
runpy.run_path(sys.argv[2], run_name="__main__")
"""


def run(*words: str, cache: str | None, home: str | None = None) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "HOME"}
    environment |= {"MICROVEIL_CACHE_DIR": cache} if cache else {}
    environment |= {"HOME": home} if home else {}
    done = subprocess.run(  # noqa: S603  our own code
        [sys.executable, *words], check=True, capture_output=True, text=True, env=environment
    )
    return done.stdout.split()


@pytest.fixture
def loops(tmp_path: Path) -> Path:
    path = tmp_path / "code" / "loops_to_compile.py"
    path.parent.mkdir()
    path.write_text(LOOPS)
    return path


def test_lean_machine_code_is_cached_and_loaded_again(loops: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    assert run(str(loops), cache=cache) == ["10", "0"]
    assert run(str(loops), cache=cache) == ["10", "1"]


def test_a_cache_that_may_only_be_read_is_used_and_left_alone(loops: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    run(str(loops), cache=str(cache))
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    assert run("-c", READ_ONLY, str(cache), str(loops), cache=str(cache)) == ["10", "1"]
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == before


def test_without_a_home_and_with_an_empty_read_only_cache_code_is_compiled(
    loops: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "empty"
    cache.mkdir()
    assert run("-c", READ_ONLY, str(cache), str(loops), cache=str(cache)) == ["10", "0"]
    assert not list(cache.iterdir())


def test_numba_is_as_before_afterwards() -> None:
    before = codegen.JITCodeLibrary.finalize, cpu.CPUContext.get_executable, gc.isenabled()
    with lean():
        assert codegen.JITCodeLibrary.finalize is not before[0]
        assert not gc.isenabled()
    after = codegen.JITCodeLibrary.finalize, cpu.CPUContext.get_executable, gc.isenabled()
    assert after == before


def test_a_users_own_functions_share_what_was_compiled_leanly() -> None:
    def largest(values: np.ndarray) -> float:
        return float(np.sort(values)[-1])

    values = np.array([1.0, 3.0, 2.0])
    assert outer(largest)(values) == numba.njit(largest)(values) == 3.0


def test_an_unknown_numba_compiles_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean_compilation, "SUPPORTED", False)
    before = codegen.JITCodeLibrary.finalize
    with lean():
        assert codegen.JITCodeLibrary.finalize is before
    assert outer(lambda x: x + 1)(1) == 2
