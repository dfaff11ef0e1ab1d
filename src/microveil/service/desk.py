"""The desk: where queries are priced, reserved, answered and stored, in this order."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeVar

from microveil.dp import Count, Loss, answer
from microveil.errors import QueryError
from microveil.service.data import Shelf
from microveil.service.free.answers import Bought, FreeAnswer, free_answer
from microveil.service.free.memory import Memory
from microveil.service.ledger.amounts import Amounts, write_amounts
from microveil.service.ledger.book import Reservation
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import (
    Commit,
    Granted,
    Pending,
    Question,
    Reserve,
    Sharing,
    Stored,
)
from microveil.service.questions import Asked, AskRequest, charge_amounts, read_question
from microveil.service.registry import DataSet, analyst_account, data_account
from microveil.service.sharing import Families

ResultT = TypeVar("ResultT")
Why = Literal["paid", "stored", "derived"]


@dataclass(frozen=True)
class Asker:
    """The analyst who asks."""

    analyst: str
    group: str
    """Its members share all answers."""


@dataclass(frozen=True)
class Reply:
    """Answers, and what this request cost."""

    answers: list[dict[str, Any]]
    why: Why
    """``paid`` now; ``stored``: the same query was paid for before; ``derived``: it follows from
    paid answers."""
    charged: Mapping[str, Fraction] = field(default_factory=dict)
    sources: tuple[int, ...] = ()
    """Numbers of the paid queries that a derived answer follows from."""


@dataclass(frozen=True)
class Limits:
    """Limits on one request."""

    seconds: float = 30.0
    rows: int = 10_000
    workers: int = 2
    """Requests processed at the same time."""


class Desk:
    """Answers analysts' queries on registered data sets."""

    def __init__(self, ledger: Ledger, limits: Limits | None = None) -> None:
        """Use a ledger; tables are loaded on first use."""
        self.ledger = ledger
        self.limits = limits or Limits()
        self.shelf = Shelf()
        self.memory = Memory(ledger)
        self.families = Families(ledger)
        self._workers = ThreadPoolExecutor(self.limits.workers, thread_name_prefix="desk")

    def warm_up(self, data: DataSet) -> None:
        """Load a table and the query code, so that the first query does not wait for them."""
        self.shelf.table(data)
        answer(Count(), self.shelf.dummy(data), spend=Loss.of(epsilon=1))

    def close(self) -> None:
        """Finish the requests in progress."""
        self._workers.shutdown(wait=True, cancel_futures=True)

    async def price(self, request: AskRequest, data: DataSet, asker: Asker) -> dict[str, Any]:
        """The price of a query, and the free answer if there is one; nothing is spent."""
        asked = await self._work(lambda: read_question(request, data, self.limits.rows))
        found = await self._work(lambda: self._derive_answer(asked, data, asker))
        charge = await self._work(lambda: self._charge(asked, data, asker))
        return {
            "offers": [offer.to_dict() for offer in asked.offers],
            "charge": write_amounts(charge),
            "free": None if found is None else found.to_dict(),
            "is_free": found is not None and found.is_enough(asked.offers),
        }

    def _charge(self, asked: Asked, data: DataSet, asker: Asker) -> Amounts:
        """What the analyst's account would pay."""
        own = analyst_account(data.name, asker.analyst)
        return self.families.charge(own, asked, data, charge_amounts(asked.loss, data))

    async def dry_run(self, request: AskRequest, data: DataSet) -> list[dict[str, Any]]:
        """Answer from an invented table: costs and reveals nothing, in the same form."""
        return await self._work(lambda: self._on_dummy(request, data))

    def _on_dummy(self, request: AskRequest, data: DataSet) -> list[dict[str, Any]]:
        asked = read_question(request, data, self.limits.rows)
        if not asked.spends:
            raise QueryError("Give a `spend` or an `error`.")
        return self._answers(asked, self.shelf.dummy(data))

    async def ask(self, request: AskRequest, data: DataSet, asker: Asker) -> Reply:
        """Answer a query: free if possible, otherwise for its price."""
        read = await self._work(lambda: self._read(request, data, asker))
        if isinstance(read, Reply):
            return read
        return await self._pay(*read, data, asker)

    def _read(
        self, request: AskRequest, data: DataSet, asker: Asker
    ) -> Reply | tuple[Asked, Sharing | None]:
        """A free answer; or the query, and with whom it may share its price."""
        asked = read_question(request, data, self.limits.rows)
        found = None if asked.free == "never" else self._derive_answer(asked, data, asker)
        if found is not None and (asked.free == "only" or found.is_enough(asked.offers)):
            why: Why = "stored" if found.is_verbatim else "derived"
            return Reply([one.to_dict() for one in found.answers], why, {}, found.sources)
        if asked.free == "only":
            raise QueryError("This query cannot be answered from earlier paid answers.")
        return asked, self.families.sharing(asked, data, _prices(asked, data, asker))

    def _derive_answer(self, asked: Asked, data: DataSet, asker: Asker) -> FreeAnswer | None:
        bought: list[Bought] = self.memory.load_bought(data, asker.group)
        return free_answer(
            asked.queries,
            bought,
            data.declaration,
            asked.confidence,
            offers=asked.offers,
            complete=data.terms.complete,
        )

    async def _pay(
        self, asked: Asked, sharing: Sharing | None, data: DataSet, asker: Asker
    ) -> Reply:
        """Reserve, answer, commit; or wait for whoever works on the same query."""
        # Before anything is paid: data that cannot be read must not cost anything.
        await self._ready(data)
        question = Question(data.name, data.identity, asker.analyst, asker.group, asked.text)
        own = analyst_account(data.name, asker.analyst)
        lease = int(self.limits.seconds * 1000)
        step = Reserve(question, _prices(asked, data, asker), lease, sharing=sharing)
        pause = 0.005
        while True:
            outcome = await asyncio.wrap_future(self.ledger.submit(step))
            if isinstance(outcome, Stored):
                return Reply(json.loads(outcome.body)["answers"], "stored")
            if isinstance(outcome, Granted):
                self.families.learn(outcome.families)
                stored = await self._answer(asked, data, question.key, outcome.token)
                if isinstance(stored, Stored):
                    return Reply(
                        json.loads(stored.body)["answers"], "paid", outcome.charges.get(own, {})
                    )
                outcome = stored
            await self._pause(outcome, pause)
            pause = min(2 * pause, 0.2)

    async def _ready(self, data: DataSet) -> None:
        if not self.shelf.has(data):
            await self._work(lambda: self.shelf.table(data))

    @staticmethod
    async def _pause(pending: Pending, seconds: float) -> None:
        left = pending.until / 1000 - time.time()
        await asyncio.sleep(max(min(seconds, left), 0.001))

    async def _answer(self, asked: Asked, data: DataSet, key: str, token: str) -> Stored | Pending:
        def body() -> str:
            return _dump_answers(self._answers(asked, self.shelf.table(data)))

        found = await self._work(body)
        return await asyncio.wrap_future(self.ledger.submit(Commit(key, token, found)))

    @staticmethod
    def _answers(asked: Asked, table: Any) -> list[dict[str, Any]]:
        return [
            answer(query, table, spend=spend, confidence=asked.confidence).to_dict()
            for query, spend in zip(asked.queries, asked.spends, strict=True)
        ]

    async def _work(self, work: Callable[[], ResultT]) -> ResultT:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)

    def budget(self, data: DataSet, asker: Asker) -> dict[str, Any]:
        """What the analyst can still spend: the smaller of their own and the shared budget."""
        with self.ledger.view() as view:
            own = view.balances(analyst_account(data.name, asker.analyst))
            shared = view.balances(data_account(data.name))
        nothing = Fraction(0)
        left = {
            unit: min(balance.left, shared[unit].left if unit in shared else nothing)
            for unit, balance in own.items()
        }
        return {
            "cap": write_amounts({unit: balance.cap for unit, balance in own.items()}),
            "spent": write_amounts({unit: balance.spent for unit, balance in own.items()}),
            "left": write_amounts(left),
        }

    def history(self, data: DataSet, group: str | None, most: int) -> list[dict[str, Any]]:
        """The paid queries of a group, or of all groups, newest first.

        A group sees what its analysts paid, the owner what the data set did.
        """
        paid = self.ledger.paid_queries(data=data.name, group=group, most=most)
        return [
            {
                "number": one.reservation.seq,
                "at": one.reservation.at,
                "analyst": one.reservation.analyst,
                "group": one.reservation.asker_group,
                "question": json.loads(one.reservation.question),
                "charged": write_amounts(one.reservation.charges[_payer(one.reservation, group)]),
                "answers": None if one.answer is None else json.loads(one.answer)["answers"],
            }
            for one in reversed(paid)
        ]


def _prices(asked: Asked, data: DataSet, asker: Asker) -> dict[str, Amounts]:
    """What each account pays for a query that shares its price with no other."""
    accounts = (data_account(data.name), analyst_account(data.name, asker.analyst))
    return dict.fromkeys(accounts, charge_amounts(asked.loss, data))


def _payer(paid: Reservation, group: str | None) -> str:
    """The account whose charge is shown: the analyst's, or the data set's to the owner."""
    return data_account(paid.data) if group is None else analyst_account(paid.data, paid.analyst)


def _dump_answers(answers: list[dict[str, Any]]) -> str:
    """Answers as stored and sent; the order of columns is preserved."""
    return json.dumps(_finite({"answers": answers}), ensure_ascii=False, separators=(",", ":"))


def _finite(value: Any) -> Any:
    """Plain data without NaN and infinities, which JSON does not have."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
