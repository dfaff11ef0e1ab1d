"""Jobs run in processes of their own, tell how far they are, and end when told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microveil.errors import InputError
from microveil.progress import Progress
from microveil.web.jobs import Job, JobState, Workers
from microveil.web.sessions import WebSession


def double(number: int, progress: Progress) -> int:
    progress(1, 2, "half")
    return 2 * number


def refuse(progress: Progress) -> None:
    progress(0, 1, "refuse")
    raise InputError("No column 'x' in the data.")


def quote_a_cell(progress: Progress) -> None:
    progress(0, 1, "break")
    raise ValueError("could not convert 'secret cell'")


def sleep_long(progress: Progress) -> None:
    progress(0, 1, "sleep")
    time.sleep(600)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    found = Workers()
    yield found
    found.close()


def _ended(workers: Workers, task: Any, **arguments: Any) -> Job:
    job = workers.start("job", task, lambda _: None, **arguments)
    assert job.ended.wait(120)
    return job


def test_a_job_returns_its_result_from_another_process(workers: Workers) -> None:
    job = _ended(workers, double, number=21)
    assert (job.state, job.result) == (JobState.done, 42)
    assert not job.process.is_alive()


def test_what_the_caller_can_mend_is_told_as_it_is(workers: Workers) -> None:
    job = _ended(workers, refuse)
    assert (job.state, job.error) == (JobState.failed, "No column 'x' in the data.")


def test_a_foreign_error_is_told_without_its_message(workers: Workers) -> None:
    job = _ended(workers, quote_a_cell)
    assert job.state is JobState.failed
    assert "ValueError" in job.error
    assert "secret cell" not in job.error


def test_cancel_ends_the_process_at_once_and_the_session_goes_on(
    workers: Workers, tmp_path: Path
) -> None:
    session = WebSession("secret", tmp_path, workers)
    job = session.start("job", sleep_long, lambda _: None)
    with pytest.raises(InputError, match="One thing at a time"):
        session.start("job", double, lambda _: None, number=1)
    session.cancel()
    assert job.ended.wait(20)
    assert job.state is JobState.cancelled
    assert not job.process.is_alive()
    got: list[int] = []
    again = session.start("job", double, got.append, number=4)
    assert again.ended.wait(120)
    assert got == [8]


def test_a_process_that_dies_is_a_failure_in_words(workers: Workers) -> None:
    job = workers.start("job", sleep_long, lambda _: None)
    job.process.kill()
    assert job.ended.wait(20)
    assert job.state is JobState.failed
    assert "process is gone" in job.error
