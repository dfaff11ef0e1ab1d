"""The steps of the ledger: set a cap, reserve, commit, note. Each is whole or leaves no trace.

A question is paid for when it is reserved and answered when the answer is stored; only then is the
answer sent. So whatever breaks in between, no answer is without its price. A reservation whose
answer never came stays charged; the same question takes it over and is not charged again, and the
token makes sure that of two who work on it only one can store an answer.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from microveil.errors import InternalError
from microveil.service.ledger.amounts import Amounts, written
from microveil.service.ledger.book import Book, Reservation
from microveil.service.ledger.chain import canonical, digest
from microveil.service.ledger.refusals import OverBudgetError

if TYPE_CHECKING:
    from sqlalchemy import Executable

ResultT_co = TypeVar("ResultT_co", covariant=True)


@dataclass(frozen=True)
class Granted:
    """Paid: answer now, and store the answer with this token."""

    token: str


@dataclass(frozen=True)
class Stored:
    """Answered before: this is the answer."""

    body: str


@dataclass(frozen=True)
class Pending:
    """Somebody else works on the answer; look again, and take over after this moment."""

    until: int
    """Milliseconds since 1970."""


class Step(Protocol[ResultT_co]):
    """Something to be done to the ledger."""

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts it needs to see."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The reservations it needs to see."""

    def apply(self, book: Book) -> ResultT_co:
        """Do it, or raise before anything is changed."""


@dataclass(frozen=True)
class SetCaps:
    """Say how much an account may spend; opens the account where it is new."""

    account: str
    caps: Amounts

    @property
    def accounts(self) -> tuple[str, ...]:
        """The one account."""
        return (self.account,)

    @property
    def keys(self) -> tuple[str, ...]:
        """None."""
        return ()

    def apply(self, book: Book) -> None:
        """Change the caps; what is spent stays."""
        book.set_caps(self.account, self.caps)
        book.append("caps", {"account": self.account, "caps": written(self.caps)})


@dataclass(frozen=True)
class Question:
    """What was asked of which data, and for whom the answer is kept."""

    data: str
    version: str
    """Fingerprint of the data: another version has other answers."""
    analyst: str
    asker_group: str
    text: str
    """The question in its one canonical spelling."""

    @property
    def key(self) -> str:
        """The same for the same question of one group; the analyst's name is no part of it."""
        return digest(canonical([self.data, self.version, self.asker_group, self.text]))


@dataclass(frozen=True)
class Reserve:
    """Pay for a question, unless its answer is there already or on its way."""

    question: Question
    charges: Mapping[str, Amounts]
    """Account to price: the data set's and the analyst's."""
    lease: int = 30_000
    """Milliseconds after which another may take over."""
    token: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def accounts(self) -> tuple[str, ...]:
        """Everyone who pays."""
        return tuple(self.charges)

    @property
    def keys(self) -> tuple[str, ...]:
        """The question's own."""
        return (self.question.key,)

    def apply(self, book: Book) -> Granted | Stored | Pending:
        """Charge all accounts or none."""
        found = book.reservations.get(self.question.key)
        if found is None:
            return self._pay(book)
        if found.answer_seq is not None:
            return Stored(book.answers[found.key])
        if found.token != self.token and found.lease_until > book.now:
            return Pending(found.lease_until)
        return self._take_over(book, found)

    def _pay(self, book: Book) -> Granted:
        for account, price in self.charges.items():
            _check(book, account, price)
        asked, charges = self.question, {a: written(p) for a, p in self.charges.items()}
        facts = {
            "data": asked.data,
            "version": asked.version,
            "analyst": asked.analyst,
            "group": asked.asker_group,
        }
        facts |= {"key": asked.key, "question": digest(asked.text)}
        seq = book.append("reserve", {**facts, "charges": charges})
        for account, price in self.charges.items():
            book.spend(account, price)
        book.reserve(
            Reservation(
                asked.key,
                asked.data,
                asked.version,
                asked.analyst,
                asked.asker_group,
                asked.text,
                self.charges,
                self.token,
                book.now + self.lease,
                seq,
                book.at,
            )
        )
        return Granted(self.token)

    def _take_over(self, book: Book, found: Reservation) -> Granted:
        book.append("take over", {"key": found.key, "analyst": self.question.analyst})
        book.reserve(replace(found, token=self.token, lease_until=book.now + self.lease))
        return Granted(self.token)


@dataclass(frozen=True)
class Commit:
    """Store the answer to a reserved question."""

    key: str
    token: str
    body: str

    @property
    def accounts(self) -> tuple[str, ...]:
        """None: the price is paid."""
        return ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The question's."""
        return (self.key,)

    def apply(self, book: Book) -> Stored | Pending:
        """Store it; or hand out what another has stored, or say that another works on it."""
        found = book.reservations.get(self.key)
        if found is None:
            raise InternalError("An answer was to be stored that nobody had paid for.")
        if found.answer_seq is not None:
            return Stored(book.answers[self.key])
        if found.token != self.token:
            return Pending(found.lease_until)
        seq = book.append("commit", {"key": self.key, "answer": digest(self.body)})
        book.reserve(replace(found, answer_seq=seq))
        book.answer(self.key, self.body)
        return Stored(self.body)


@dataclass(frozen=True)
class Note:
    """An entry about something beside the budgets, with the rows that belong to it."""

    kind: str
    facts: Mapping[str, Any]
    changes: tuple[tuple[Executable, dict[str, Any]], ...] = ()

    @property
    def accounts(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def keys(self) -> tuple[str, ...]:
        """None."""
        return ()

    def apply(self, book: Book) -> None:
        """Write entry and rows."""
        book.append(self.kind, dict(self.facts))
        for statement, values in self.changes:
            book.also(statement, values)


def _check(book: Book, account: str, price: Amounts) -> None:
    """Refuse what an account cannot pay; one without a cap can pay nothing, not even nothing."""
    balances = book.accounts.get(account)
    for unit, amount in price.items():
        left = balances[unit].left if balances and unit in balances else Fraction(0)
        if balances is None or amount > left:
            raise OverBudgetError(account, unit, amount, left)
