from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numba.core import untyped_passes

from microveil.kernels import compilation, lean_passes
from microveil.kernels.compilation import outer
from microveil.kernels.jit import Floats
from microveil.kernels.lean_passes import PASSES, is_plain


def total(values: Floats) -> float:
    found = 0.0
    for value in values:
        found += value
    return found


def with_a_comprehension(values: Floats) -> float:
    return float(sum([2 * value for value in values]))


def _uncached(*, cache: bool = False, **options: Any) -> Any:  # noqa: ARG001
    return numba.njit(**options)


def compiled_passes(function: Any) -> tuple[float, list[str]]:
    """What a function gives for 1 and 2, and the passes it was compiled in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compilation, "_NJIT", _uncached)
        compiled = outer(function)
    found = compiled(np.array([1.0, 2.0]))
    (metadata,) = (one.metadata for one in compiled.overloads.values())
    (times,) = metadata["pipeline_times"].values()
    return found, [name.partition("_")[2] for name in times]


def test_a_loop_is_compiled_in_few_passes() -> None:
    found, passes = compiled_passes(total)
    assert found == 3.0
    assert len(passes) == len(PASSES)


def test_other_functions_are_compiled_in_all_passes() -> None:
    found, passes = compiled_passes(with_a_comprehension)
    assert found == 6.0
    assert untyped_passes.InlineClosureLikes._name in passes


def test_a_numba_without_a_pass_compiles_in_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean_passes, "PASSES", (*PASSES, None))
    _, passes = compiled_passes(lambda values: values[0])
    assert untyped_passes.InlineClosureLikes._name in passes


def test_a_function_in_a_function_is_not_plain() -> None:
    assert is_plain(total.__code__)
    assert not is_plain(with_a_comprehension.__code__)
