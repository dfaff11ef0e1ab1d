"""Job: one piece of long work, its progress, and its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from microveil.texts import Message

OUR_FAULT = "Something in Microveil broke ({place}). This is our fault, please report it."
DIED = Message(
    "app.work_ended_before_was",
    "The work ended before it was done: its process is gone, perhaps for want of memory.",
)


class JobState(StrEnum):
    """Where a job stands."""

    running = "running"
    done = "done"
    failed = "failed"
    cancelled = "cancelled"


@dataclass(eq=False)
class Job:
    """Work under way in its own process.

    ``finished`` is called once, from a thread of this process, with the job itself.
    """

    title: str
    process: BaseProcess
    pipe: Connection
    finished: Callable[[Job], None]
    state: JobState = JobState.running
    share: float = 0.0
    """How much is done, between 0 and 1."""
    what: str = ""
    result: Any = None
    error: str = ""
    started: float = field(default_factory=monotonic)
    ended: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    def start(self, task: Callable[..., Any], arguments: dict[str, Any]) -> None:
        """Send the task off and listen for news."""
        self.pipe.send((task, arguments))
        Thread(target=self._listen, daemon=True, name="job").start()

    @property
    def running(self) -> bool:
        """Whether the job is still running."""
        return self.state is JobState.running

    @property
    def seconds(self) -> float:
        """How long the job has been running."""
        return monotonic() - self.started

    def cancel(self) -> None:
        """End the process at once; its work so far is lost, the session is not."""
        if self._settle(JobState.cancelled):
            self.process.kill()

    def _listen(self) -> None:
        try:
            while True:
                kind, news = self.pipe.recv()
                if kind == "progress":
                    done, total, self.what = news
                    self.share = min(max(done / total, 0.0), 1.0) if total else 0.0
                elif kind == "done":
                    self._settle(JobState.done, result=news)
                    break
                elif kind in ("failed", "broken"):
                    text = news if kind == "failed" else OUR_FAULT.format(place=news)
                    self._settle(JobState.failed, error=text)
                    break
        except (EOFError, OSError):
            self._settle(JobState.failed, error=DIED)
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(5)
        self.pipe.close()
        self.finished(self)
        self.ended.set()

    def _settle(self, state: JobState, *, result: Any = None, error: str = "") -> bool:
        """Record the first end that is reported; a cancelled job stays cancelled."""
        with self._lock:
            if not self.running:
                return False
            self.state, self.result, self.error = state, result, error
            return True
