"""Workers: one new process per job, with one kept ready so that a job begins at once."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from microveil.web.jobs.job import Job
from microveil.web.jobs.worker import work

A_MEGABYTE = str(2**20)
FRUGAL = {
    "_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0",
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": A_MEGABYTE,
    "MALLOC_TRIM_THRESHOLD_": A_MEGABYTE,
}
"""What makes the allocators of Polars and of the C library return memory as soon as it is free."""
_ENVIRONMENT = threading.Lock()


@contextmanager
def _frugal() -> Iterator[None]:
    """Processes that are started here give back what they no longer need.

    A spawned process gets this one's environment, and reads these settings when it begins.
    """
    with _ENVIRONMENT:
        before = {name: os.environ.get(name) for name in FRUGAL}
        os.environ.update(FRUGAL)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


class Workers:
    """Starts jobs; a spare process waits with the library loaded.

    Processes are spawned, never forked: the server has threads, and a fork would copy their locks.
    """

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.Lock()
        self._spare: tuple[BaseProcess, Connection] | None = None
        self._jobs: set[Job] = set()
        self._closed = False

    def warm(self) -> None:
        """Have a spare process ready."""
        with self._lock:
            if self._spare is None and not self._closed:
                self._spare = self._spawn()

    def start(
        self,
        title: str,
        task: Callable[..., Any],
        finished: Callable[[Job], None],
        **arguments: Any,
    ) -> Job:
        """Begin a job in a process of its own."""
        with self._lock:
            process, pipe = self._spare or self._spawn()
            self._spare = None
        if not process.is_alive():
            process, pipe = self._spawn()

        def end(job: Job) -> None:
            self._jobs.discard(job)
            finished(job)
            self.warm()

        job = Job(title, process, pipe, end)
        self._jobs.add(job)
        job.start(task, arguments)
        return job

    def close(self) -> None:
        """End every process: the spare one, and jobs that are under way."""
        with self._lock:
            self._closed = True
            spare, self._spare = self._spare, None
        for job in list(self._jobs):
            job.cancel()
        if spare is not None:
            spare[0].kill()
            spare[0].join(5)
            spare[1].close()

    def _spawn(self) -> tuple[BaseProcess, Connection]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs,), daemon=True)
        with _frugal():
            process.start()
        theirs.close()
        return process, ours
