"""Warming up uses each method in every listed way, and goes on where one fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import microveil as mv
from microveil.app import warming
from microveil.kernels import jit


def test_every_part_is_used_compiled_and_told_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[tuple[str, bool]] = []
    told: list[tuple[float, float, str]] = []

    def use(name: str, *_: Any) -> None:
        used.append((name, bool(jit._HERE.compiled)))
        if name == "mondrian":
            raise mv.InputError("not with these data")

    monkeypatch.setattr(warming, "_use", use)
    seconds = warming.warm_up(lambda *one: told.append(one))
    n_ways = sum(map(len, warming.PARAMETERS.values()))
    assert list(seconds) == [*warming.PARAMETERS, "risk", "compare"]
    assert [name for name, _ in used].count("microaggregate") == 4
    assert all(compiled for _, compiled in used)
    assert [done for done, _, _ in told] == list(range(n_ways + 3))
    assert told[-1] == (n_ways + 2, n_ways + 2, "done")


def test_the_example_suits_every_listed_way() -> None:
    # A way that these data do not suit would be passed over, and warm up nothing.
    table = mv.Table(*warming._example())
    for name, step in warming._steps():
        if name != "synthesize" and getattr(step, "algorithm", "") != "refined":  # they take long
            assert step.apply(table, np.random.default_rng(0)).table.height > 0


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(warming, "_use", broken)
    with pytest.raises(ZeroDivisionError):
        warming.warm_up()
