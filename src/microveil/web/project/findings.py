"""Findings: what a page shows and takes a moment to work out, kept by what was asked."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 0.15
"""Seconds that a page waits for an answer before it is drawn without it."""
MOST = 60
"""Answers that are kept; the oldest are forgotten first."""
_THREADS = ThreadPoolExecutor(4, thread_name_prefix="findings")


@dataclass(eq=False)
class Findings:
    """Answers by question: a small table's come at once, a large one's when they are there."""

    _answers: dict[Hashable, Future[object]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def now(self, question: Hashable, work: Callable[[], T]) -> T:
        """The answer, however long it takes; for background threads."""
        return self._ask(question, work).result()

    def soon(
        self, question: Hashable, work: Callable[[], T], later: Callable[[], None]
    ) -> T | None:
        """The answer, or None for now; ``later`` is called once it is known."""
        asked = self._ask(question, work)
        try:
            return asked.result(PATIENCE)
        except TimeoutError:
            asked.add_done_callback(lambda _: later())
            return None

    def _ask(self, question: Hashable, work: Callable[[], T]) -> Future[T]:
        with self._lock:
            found: Future[T] | None = self._answers.get(question)  # type: ignore[assignment]
            if found is not None:
                return found
            found = _THREADS.submit(work)
            self._answers[question] = found  # type: ignore[assignment]
            for oldest in list(self._answers)[:-MOST]:
                del self._answers[oldest]
        return found
