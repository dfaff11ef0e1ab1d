"""What a job's process says: a result, a sentence, or a place, and never a cell."""

from __future__ import annotations

from typing import Any

import pytest

from microveil.errors import InputError
from microveil.web.jobs import worker
from microveil.web.jobs.worker import _do, _place, _Teller


class Pipe:
    """Notes what is sent."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, message: Any) -> None:
        self.sent.append(message)


def told(error: Exception | None = None) -> tuple[str, Any]:
    def task(number: int, progress: Any) -> int:
        progress(1, 2, "half")
        if error is not None:
            raise error
        return 2 * number

    pipe: Any = Pipe()
    return _do(task, {"number": 21}, _Teller(pipe))


def test_a_result_or_a_sentence_comes_back() -> None:
    assert told() == ("done", 42)
    assert told(InputError("No column 'x'.")) == ("failed", "No column 'x'.")
    kind, sentence = told(MemoryError())
    assert kind == "failed"
    assert "memory" in sentence


def test_a_foreign_error_is_its_kind_and_its_place() -> None:
    kind, sentence = told(ValueError("cell SECRET"))
    assert kind == "broken"
    assert sentence.startswith(f"ValueError in {__name__}:")
    assert "SECRET" not in sentence
    assert _place(ValueError()) == "an unknown place"


def test_progress_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([5.0, 5.0, 5.05, 5.2, 5.2])
    monkeypatch.setattr(worker, "monotonic", lambda: next(clock))
    pipe: Any = Pipe()
    teller = _Teller(pipe)
    for done in range(3):
        teller(done, 9, "rows")
    assert pipe.sent == [("progress", (0.0, 9.0, "rows")), ("progress", (2.0, 9.0, "rows"))]
