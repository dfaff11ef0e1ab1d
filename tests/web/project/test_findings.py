"""Quick answers come at once, slow ones later, and none is worked out twice."""

from __future__ import annotations

from threading import Event

import pytest

from microveil.errors import InputError
from microveil.web.project import findings
from microveil.web.project.findings import Findings


def test_a_quick_answer_comes_at_once_and_is_worked_out_once() -> None:
    kept, worked, drawn = Findings(), [], Event()

    def work() -> int:
        worked.append(1)
        return 7

    assert [kept.soon("k", work, drawn.set) for _ in range(3)] == [7, 7, 7]
    assert kept.now("k", work) == 7
    assert worked == [1]


def test_a_slow_answer_is_told_when_it_is_there() -> None:
    kept, go, there = Findings(), Event(), Event()

    def work() -> str:
        assert go.wait(20)
        return "counted"

    assert kept.soon("columns", work, there.set) is None
    go.set()
    assert there.wait(20)
    assert kept.soon("columns", work, there.set) == "counted"


def test_what_went_wrong_is_told_to_whoever_asks() -> None:
    def work() -> None:
        raise InputError("Set a cut point, or a width.")

    with pytest.raises(InputError, match="cut point"):
        Findings().soon("preview", work, lambda: None)


def test_old_answers_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "MOST", 3)
    kept = Findings()
    for number in range(10):
        assert kept.now(number, lambda number=number: number) == number  # type: ignore[misc]
    assert len(kept._answers) == 3
