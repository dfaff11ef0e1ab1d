"""Every loop that a test here uses is compiled, and its first calls are interpreted as well."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from microveil.kernels import jit
from microveil.kernels.interpretation import Interpretation

SCRATCH = {"scratch", "totals", "work"}
"""Arguments that a loop uses as room to work in: NumPy, where it stands in, does without."""
COMPARED = 12
"""Calls of each loop whose two forms are compared; plain Python is too slow for all of them."""


def copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy(order="K")
    if isinstance(value, tuple):
        parts = [copied(part) for part in value]
        return tuple(parts) if type(value) is tuple else type(value)(*parts)
    return value


def assert_same(interpreted: Any, compiled: Any) -> None:
    """Of one type, and equal bit by bit."""
    assert type(interpreted) is type(compiled)
    if isinstance(compiled, np.ndarray):
        assert interpreted.dtype == compiled.dtype
        assert interpreted.shape == compiled.shape
        assert interpreted.tobytes() == compiled.tobytes()
    elif isinstance(compiled, tuple):
        names = getattr(compiled, "_fields", ("",) * len(compiled))
        for name, one, other in zip(names, interpreted, compiled, strict=True):
            if name not in SCRATCH:
                assert_same(one, other)
    else:
        assert np.array_equal(interpreted, compiled, equal_nan=isinstance(compiled, float))


def assert_same_changes(before: Any, interpreted: Any, compiled: Any) -> None:
    """Cells that were written to are equal; other threads may have written to the others."""
    if isinstance(compiled, np.ndarray):
        changed = (before != interpreted) & ~((before != before) & (interpreted != interpreted))  # noqa: PLR0124  NaN
        assert np.array_equal(interpreted[changed], compiled[changed])
    elif isinstance(compiled, tuple):
        for parts in zip(before, interpreted, compiled, strict=True):
            assert_same_changes(*parts)


@pytest.fixture(autouse=True, scope="session")
def both_forms_agree() -> Iterator[None]:
    calls: Counter[jit.Kernel] = Counter()

    def call(self: jit.Kernel, *arguments: Any) -> Any:
        calls[self] += 1
        before, mine = copied(arguments), copied(arguments)
        done = Interpretation(self).run(mine) if calls[self] <= COMPARED else None
        found = self._compiled(*arguments)
        if done is not None:
            # Room to work in, and the padding of a tree, hold whatever was in memory before.
            if not self.py_func.__name__.startswith(("new_", "open_", "build_")):
                assert_same(done[0], found)
            names = self.py_func.__code__.co_varnames
            for name, *parts in zip(names, before, mine, arguments, strict=False):
                if name in SCRATCH:
                    continue
                if threading.current_thread() is threading.main_thread():
                    assert_same(*parts[1:])
                else:
                    assert_same_changes(*parts)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit.Kernel, "__call__", call)
        patch.setattr(jit.Kernel, "is_ready", lambda _: True)
        yield
