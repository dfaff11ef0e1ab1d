"""Watch: the phases of a run, their durations, and a log of both."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from microveil.progress import Doing, Progress, silent

LOG = logging.getLogger("microveil")
ROWS = "rows"
"""The continuous activity of a run in parts; its calls form one phase."""


def log(event: str, **facts: Any) -> None:
    """Log what happened: names and counts, never a cell's value."""
    LOG.info(event, extra={"facts": facts})


@dataclass
class Phase:
    """One part of a run, and how long it took."""

    name: str
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"name": self.name, "seconds": round(self.seconds, 3)}


@dataclass
class Watch:
    """Receives the progress of a run, passes it on, and times each phase."""

    progress: Progress = silent
    phases: list[Phase] = field(default_factory=list)
    _since: float | None = None

    def __call__(self, done: float, total: float, what: str) -> None:
        """Receive progress."""
        goes_on = what == ROWS or isinstance(what, Doing)
        if not (goes_on and self._running(what)):
            self.end()
            if what != "done":
                self._begin(str(what))
        self.progress(done, total, what)

    @contextmanager
    def phase(self, what: str) -> Iterator[None]:
        """A phase that ends with the block."""
        self(0, 1, what)
        try:
            yield
        finally:
            self.end()

    def end(self) -> None:
        """End the current phase, if any."""
        if self._since is not None:
            last = self.phases[-1]
            last.seconds = time.perf_counter() - self._since
            log("phase", **last.to_dict())
        self._since = None

    def _running(self, what: str) -> bool:
        return self._since is not None and self.phases[-1].name == what

    def _begin(self, what: str) -> None:
        self.phases.append(Phase(what))
        self._since = time.perf_counter()
