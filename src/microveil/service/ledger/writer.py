"""A single writer thread with many steps per commit: a disk is slow to confirm, not to write."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from microveil.errors import MicroveilError
from microveil.service.ledger.book import Book
from microveil.service.ledger.database import Database
from microveil.service.ledger.refusals import LedgerUnavailableError
from microveil.service.ledger.steps import Step

ResultT = TypeVar("ResultT")
_Job = tuple[Step[Any], "Future[Any]"]


class Writer:
    """Takes steps from any thread; those queued while the disk was busy are committed together."""

    def __init__(self, database: Database, most: int = 256, key: bytes | None = None) -> None:
        """Write to ``database``, at most ``most`` steps in one commit; ``key`` signs entries."""
        self._database, self._key = database, key
        self._most = most
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self.n_commits = 0
        self.n_steps = 0
        self._thread = threading.Thread(target=self._work, name="ledger writer", daemon=True)
        self._thread.start()

    def submit(self, step: Step[ResultT]) -> Future[ResultT]:
        """Queue a step; its result is available once the commit is durable."""
        future: Future[ResultT] = Future()
        if self._closed:
            future.set_exception(LedgerUnavailableError())
        else:
            self._jobs.put((step, future))
        return future

    def close(self) -> None:
        """Process the queue, then stop."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while True:
            first = self._jobs.get()
            if first is None:
                return
            batch, last = [first], False
            while len(batch) < self._most and not last:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                last = job is None
                if job is not None:
                    batch.append(job)
            self._write(batch)
            if last:
                return

    def _write(self, batch: list[_Job]) -> None:
        """Commit a batch; if it fails as a whole, each step is tried separately."""
        try:
            outcomes = self._commit([step for step, _ in batch])
        except Exception as error:  # noqa: BLE001  whatever it is, those who wait must hear
            if len(batch) > 1:
                for job in batch:
                    self._write([job])
                return
            unreachable = isinstance(error, SQLAlchemyError)
            batch[0][1].set_exception(LedgerUnavailableError() if unreachable else error)
            return
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, MicroveilError):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    def _commit(self, steps: list[Step[Any]]) -> list[Any]:
        """The result of each step, or why it was refused; durable when this returns."""
        with self._database.writing() as connection:
            now = time.time_ns()
            at = datetime.fromtimestamp(now / 1e9, UTC).isoformat(timespec="microseconds")
            book = Book(connection, at, now // 1_000_000, self._key)
            book.load(
                [account for step in steps for account in step.accounts],
                [key for step in steps for key in step.keys],
                [place for step in steps for place in step.families],
            )
            outcomes = [_outcome(step, book) for step in steps]
            book.save()
        self.n_commits += 1
        self.n_steps += len(steps)
        return outcomes


def _outcome(step: Step[Any], book: Book) -> Any:
    try:
        return step.apply(book)
    except MicroveilError as refusal:
        return refusal
