from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
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


def test_no_sum_is_taken_in_another_order() -> None:
    @kernel
    def total(values: np.ndarray) -> float:
        found = 0.0
        for value in values:
            found += value
        return found

    values = np.array([1e16, 1.0, -1e16, 1.0] * 50)
    expected = 0.0
    for value in values.tolist():
        expected += value
    assert total(values) == expected


def test_small_data_need_no_numba_and_compilation_can_be_asked_for() -> None:
    code = """
import sys
import numpy as np
from microveil.kernels.column_sets import set_bits
from microveil.kernels.jit import always_compiled
assert set_bits(np.array([0, 2]), 2) == 5
assert "numba" not in sys.modules
with always_compiled():
    assert set_bits(np.array([0, 2]), 2) == 5
assert "numba" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  our own code
