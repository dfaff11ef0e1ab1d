"""The two ways in which a loop's work can be done: machine code, and NumPy in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from microveil.kernels import jit


def both_ways(work: Callable[[], Any]) -> tuple[Any, Any]:
    """The result of machine code and that of NumPy, which calls no loop."""
    with jit.always_compiled():
        compiled = work()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit.Kernel, "is_ready", lambda _: False)
        never_spent = property(lambda _: 0, lambda *_: None)  # before what a kernel has spent
        patch.setattr(jit.Kernel, "n_spared", never_spent, raising=False)
        patch.setattr(jit.Kernel, "__call__", lambda *_: pytest.fail("a loop ran"))
        return compiled, work()
