from __future__ import annotations

import ctypes

import pytest

from microveil.linked.memory import give_back


def test_a_system_without_the_call_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    give_back()

    def missing(name: object) -> object:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", missing)
    give_back()
