"""One process is kept ready; a job takes it, and another one is made when the job is done."""

from __future__ import annotations

from typing import Any

import pytest

from microveil.web.jobs import spare
from microveil.web.jobs.spare import Workers


class Process:
    """A process that is only noted."""

    def __init__(self) -> None:
        self.alive, self.killed = True, False

    def is_alive(self) -> bool:
        return self.alive

    def kill(self) -> None:
        self.alive, self.killed = False, True

    def join(self, _: float) -> None:
        """At once."""


class Pipe:
    closed = False

    def close(self) -> None:
        self.closed = True


class Job:
    """A job that ends when it is told to."""

    def __init__(self, title: str, process: Any, pipe: Any, finished: Any) -> None:
        self.title, self.process, self.pipe, self.finished = title, process, pipe, finished
        self.cancelled = False

    def start(self, task: Any, arguments: dict[str, Any]) -> None:
        self.task, self.arguments = task, arguments

    def cancel(self) -> None:
        self.cancelled = True


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Process, Pipe]]:
    found: list[tuple[Process, Pipe]] = []

    def spawned(_: Workers) -> tuple[Process, Pipe]:
        found.append((Process(), Pipe()))
        return found[-1]

    monkeypatch.setattr(Workers, "_spawn", spawned)
    monkeypatch.setattr(spare, "Job", Job)
    return found


def test_a_job_takes_the_spare_process_and_another_is_made_after_it(
    made: list[tuple[Process, Pipe]],
) -> None:
    workers = Workers()
    ended: list[Any] = []
    workers.warm()
    workers.warm()
    assert len(made) == 1
    job: Any = workers.start("job.read", print, ended.append, number=1)
    assert (job.process, job.pipe) == made[0]
    assert (job.task, job.arguments) == (print, {"number": 1})
    assert len(made) == 1
    job.finished(job)
    assert ended == [job]
    assert len(made) == 2


def test_a_spare_process_that_died_is_replaced(made: list[tuple[Process, Pipe]]) -> None:
    workers = Workers()
    workers.warm()
    made[0][0].alive = False
    job: Any = workers.start("job", print, lambda _: None)
    assert job.process is made[1][0]


def test_closing_ends_jobs_and_the_spare_and_makes_no_more(
    made: list[tuple[Process, Pipe]],
) -> None:
    workers = Workers()
    job: Any = workers.start("job", print, lambda _: None)
    workers.warm()
    workers.close()
    assert job.cancelled
    assert (made[1][0].killed, made[1][1].closed) == (True, True)
    workers.warm()
    assert len(made) == 2
