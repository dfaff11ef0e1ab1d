"""The ledger: the only place where budgets are written."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from microveil.errors import FileError
from microveil.service.ledger.book import Balance
from microveil.service.ledger.database import Database, make_private, revision, upgrade
from microveil.service.ledger.refusals import LedgerUnavailableError
from microveil.service.ledger.steps import Step
from microveil.service.ledger.view import Paid, View
from microveil.service.ledger.writer import Writer

ResultT = TypeVar("ResultT")
REVISION = "0003"
"""The revision of the tables that this version of the program expects."""


class Ledger:
    """Budgets, reservations and answers in one database, shared by any number of processes."""

    def __init__(self, database: Database, *, most: int = 256, key: bytes | None = None) -> None:
        """Use a database with existing tables; see :meth:`open`."""
        self.database, self.key = database, key
        self.writer = Writer(database, most, key)

    @classmethod
    def open(
        cls, url: str, *, create: bool = False, most: int = 256, key: bytes | None = None
    ) -> Self:
        """Connect; ``create`` makes the tables if the database is empty, ``key`` signs entries."""
        path = Path(url.removeprefix("sqlite:///"))
        if url.startswith("sqlite") and not create and not path.exists():
            raise FileError(f"There is no ledger at {path}. `microveil serve add` creates one.")
        database = Database(url)
        if database.is_sqlite and create and not path.exists():
            make_private(database)
        reached = revision(database)
        if reached is None and create:
            upgrade(database)
        elif reached != REVISION:
            database.close()
            raise FileError(_outdated_message(reached))
        return cls(database, most=most, key=key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is queued and close the database."""
        self.writer.close()
        self.database.close()

    def submit(self, step: Step[ResultT]) -> Future[ResultT]:
        """Queue a step; its result is available once it is durable."""
        return self.writer.submit(step)

    def do(self, step: Step[ResultT]) -> ResultT:
        """Do a step and wait until it is durable."""
        return self.submit(step).result()

    @contextmanager
    def view(self) -> Iterator[View]:
        """A snapshot of the ledger; later writes are not visible in it."""
        try:
            with self.database.reading() as connection:
                yield View(connection)
        except SQLAlchemyError:
            # The database's own message may contain its address.
            raise LedgerUnavailableError from None

    def balances(self, account: str) -> dict[str, Balance]:
        """What the account may spend and has spent, by unit; empty for an unknown account."""
        with self.view() as view:
            return view.balances(account)

    def paid_queries(self, **which: object) -> list[Paid]:
        """Paid queries; see :meth:`View.paid_queries`."""
        with self.view() as view:
            return view.paid_queries(**which)  # type: ignore[arg-type]  # the view checks them


def _outdated_message(reached: str | None) -> str:
    if reached is None:
        return "The ledger's database is empty. `microveil serve add` creates the tables."
    if reached < REVISION:
        return "The ledger is from an older version. Copy it, then run `microveil serve upgrade`."
    return "The ledger is from a newer version of Microveil. Update the program."
