from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from microveil.kernels.jit import kernel

CALLED = """
from microveil.kernels.jit import kernel

@kernel
def step(x):
    return x + {step}
"""


CALLING = """
from microveil.kernels.jit import kernel
from {called} import step

@kernel
def twice(x):
    return step(step(x))
"""


def loaded(path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    return module


def test_a_loop_is_compiled_again_when_one_that_it_calls_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    (tmp_path / "calling_loops.py").write_text(CALLING.format(called="called_loops"))
    for step in (1, 10):
        (tmp_path / "called_loops.py").write_text(CALLED.format(step=step))
        loaded(tmp_path / "called_loops.py", monkeypatch)
        results.append(loaded(tmp_path / "calling_loops.py", monkeypatch).twice(0))
    assert results == [2, 20]


def test_a_loop_without_a_file_is_compiled_all_the_same() -> None:
    space: dict[str, object] = {"kernel": kernel}
    exec("@kernel\ndef triple(x):\n    return 3 * x\n", space)  # noqa: S102  that is the point
    triple = space["triple"]
    assert callable(triple)
    assert triple(4) == 12


def test_a_cache_that_may_be_written_to_is_left_to_numba(tmp_path: Path) -> None:
    from microveil.kernels.compilation import only_read

    assert not only_read(None)
    assert not only_read(str(tmp_path))
    assert not only_read(str(tmp_path / "nowhere"))


LOOPS = """
import sys
import numpy as np
from microveil.kernels.jit import always_compiled, kernel
from microveil.kernels.sorting import argsort

@kernel
def scaled(values, by):
    return values * by

@kernel
def ranked(values, by):
    order = argsort(scaled(values, by))
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


def test_machine_code_is_cached_and_loaded_again(loops: Path, tmp_path: Path) -> None:
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
