"""One thread writes; those who wait hear of their own step, and of nobody else's."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from microveil.errors import InputError
from microveil.service.ledger.database import Database, upgrade
from microveil.service.ledger.refusals import LedgerUnavailableError
from microveil.service.ledger.steps import SetCaps
from microveil.service.ledger.view import View
from microveil.service.ledger.writer import Writer

CAPS = {"epsilon": Fraction(1)}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path}/ledger.db")
    upgrade(made)
    yield made
    made.close()


class Failing(SetCaps):
    """A step that raises what it is told to."""

    error: Exception = InputError("refused")

    def apply(self, book: Any) -> Any:
        del book
        raise self.error


class Held(SetCaps):
    """A step that waits, so that others queue up behind it."""

    gate = threading.Event()

    def apply(self, book: Any) -> Any:
        self.gate.wait(10)
        return super().apply(book)


def failing(error: Exception) -> Failing:
    step = Failing("data:other", CAPS)
    object.__setattr__(step, "error", error)
    return step


def test_steps_that_queued_are_committed_together(database: Database) -> None:
    writer = Writer(database, most=3)
    Held.gate.clear()
    first = writer.submit(Held("data:0", CAPS))
    others = [writer.submit(SetCaps(f"data:{n}", CAPS)) for n in range(1, 6)]
    Held.gate.set()
    for future in (first, *others):
        future.result(10)
    writer.close()
    assert writer.n_steps == 6
    assert writer.n_commits <= 4
    with database.reading() as connection:
        assert View(connection).balances("data:5")["epsilon"].cap == 1


def test_a_refusal_is_told_to_whoever_asked_and_stops_nobody(database: Database) -> None:
    writer = Writer(database)
    Held.gate.clear()
    jobs = [
        writer.submit(step)
        for step in (
            Held("data:0", CAPS),
            failing(InputError("refused")),
            failing(ZeroDivisionError()),
            failing(OperationalError("lost", None, Exception())),
            SetCaps("data:1", CAPS),
        )
    ]
    Held.gate.set()
    errors = [type(job.exception(10)) for job in jobs]
    writer.close()
    assert errors == [
        type(None),
        InputError,
        ZeroDivisionError,
        LedgerUnavailableError,
        type(None),
    ]
    with database.reading() as connection:
        assert View(connection).balances("data:1")["epsilon"].cap == 1


def test_a_closed_writer_finishes_its_queue_and_takes_no_more(database: Database) -> None:
    writer = Writer(database)
    waiting = [writer.submit(SetCaps(f"data:{n}", CAPS)) for n in range(5)]
    writer.close()
    assert all(future.done() and future.exception() is None for future in waiting)
    with pytest.raises(LedgerUnavailableError):
        writer.submit(SetCaps("data:9", CAPS)).result(1)
