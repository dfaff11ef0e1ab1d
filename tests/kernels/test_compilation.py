from __future__ import annotations

import importlib.util
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
