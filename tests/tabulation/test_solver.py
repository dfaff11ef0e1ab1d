from __future__ import annotations

import sys

import pytest

import microveil as mv
from microveil.tabulation.solver import need_solver


def test_the_solver_is_there_or_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert need_solver().__name__ == "highspy"
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(mv.InputError, match=r"microveil\[tables\]"):
        need_solver()
