"""Evaluating a synthetic table: every argument reaches the evaluation under its own name."""

from __future__ import annotations

from typing import Any

import pytest

from microveil.app import evaluating
from microveil.app.evaluating import evaluate_synthesis
from microveil.errors import InputError


def test_every_argument_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    got: dict[str, Any] = {}

    def evaluate(*tables: Any, **more: Any) -> str:
        got.update(more, tables=tables)
        return "found"

    monkeypatch.setattr(evaluating, "evaluate", evaluate)
    names = ("holdout", "target", "roles", "modelled", "trust", "progress")
    more: dict[str, Any] = {name: object() for name in names}
    assert evaluate_synthesis("a", "b", **more) == "found"  # type: ignore[comparison-overlap]
    assert got == {"tables": ("a", "b"), **more}


def test_a_target_that_is_not_there_is_refused() -> None:
    people = {"age": list(range(20, 40)), "sex": ["f", "m"] * 10}
    with pytest.raises(InputError, match="'pay'"):
        evaluate_synthesis(people, people, target="pay")
