"""The steps of the ledger: set a cap, reserve, commit. Each is atomic.

A query is paid for when it is reserved and answered when the answer is stored; only then is the
answer sent. Whatever fails in between, no answer is given without its price. A reservation whose
answer never came stays charged; the same query takes it over without a further charge, and the
token ensures that only one of two workers can store an answer.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from microveil.errors import InternalError
from microveil.registry.chain import canonical, digest
from microveil.service.ledger.amounts import Amounts, write_amounts
from microveil.service.ledger.book import Book, Reservation
from microveil.service.ledger.families import Family, Member
from microveil.service.ledger.refusals import OverBudgetError

if TYPE_CHECKING:
    from microveil.dp import Filter

ResultT_co = TypeVar("ResultT_co", covariant=True)


@dataclass(frozen=True)
class Granted:
    """Paid: compute the answer now, and store it with this token."""

    token: str
    charges: Mapping[str, Amounts] = field(default_factory=dict)
    """What each account has paid for it."""
    families: tuple[Family, ...] = ()
    """The families it has founded or joined."""


@dataclass(frozen=True)
class Stored:
    """Answered before: the stored answer."""

    body: str


@dataclass(frozen=True)
class Pending:
    """Another worker computes the answer; check again, and take over after this time."""

    until: int
    """Milliseconds since 1970."""


class Step(Protocol[ResultT_co]):
    """A change to the ledger."""

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts it needs to read."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The reservations it needs to read."""

    @property
    def families(self) -> tuple[tuple[str, int], ...]:
        """The families it needs to read."""

    def apply(self, book: Book) -> ResultT_co:
        """Apply it, or raise before anything is changed."""


@dataclass(frozen=True)
class SetCaps:
    """Set how much an account may spend; opens the account if it is new."""

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

    @property
    def families(self) -> tuple[tuple[str, int], ...]:
        """None."""
        return ()

    def apply(self, book: Book) -> None:
        """Change the caps; spent budget stays spent."""
        book.set_caps(self.account, self.caps)
        book.append("caps", {"account": self.account, "caps": write_amounts(self.caps)})


@dataclass(frozen=True)
class Question:
    """What was asked about which data, and for which group the answer is kept."""

    data: str
    version: str
    """Fingerprint of the data: a different version has different answers."""
    analyst: str
    asker_group: str
    text: str
    """The queries in canonical form."""

    @property
    def key(self) -> str:
        """Equal for equal queries of one group; the analyst's name is not part of it."""
        return digest(canonical([self.data, self.version, self.asker_group, self.text]))


@dataclass(frozen=True)
class Sharing:
    """The rows a query is about, and the families that may take it."""

    where: str
    """Its filter."""
    joins: Mapping[str, Family] = field(default_factory=dict)
    """Account to a family, as it was last seen."""
    both: bool = False
    """Whether one person's row may leave one query and enter another."""
    parsed: Filter | None = None
    """The parsed filter, if available."""

    def member(self, price: Amounts) -> Member:
        """The query as a family holds it."""
        return Member(self.where, price, self.parsed)


@dataclass(frozen=True)
class Reserve:
    """Pay for a query, unless its answer exists already or is being computed."""

    question: Question
    charges: Mapping[str, Amounts]
    """Account to price: the data set's and the analyst's."""
    lease: int = 30_000
    """Milliseconds after which another worker may take over."""
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    sharing: Sharing | None = None
    """How it may share its price with others; none if it cannot."""

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts that pay."""
        return tuple(self.charges)

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of the query."""
        return (self.question.key,)

    @property
    def families(self) -> tuple[tuple[str, int], ...]:
        """The families that may take it."""
        joins = {} if self.sharing is None else self.sharing.joins
        return tuple((account, family.number) for account, family in joins.items())

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
        joined = {account: self._family(book, account) for account in self.charges}
        charges = {
            account: self._charge(joined[account], price) for account, price in self.charges.items()
        }
        for account, price in charges.items():
            _check(book, account, price)
        families = tuple(self._join_families(joined, book.next))
        stored = [family for family in families if not family.is_alone]
        seals = {family.account: [family.number, family.seal] for family in stored}
        seq = book.append("reserve", self._facts(charges) | ({"families": seals} if seals else {}))
        for account, price in charges.items():
            book.spend(account, price)
        for family in stored:
            book.join(family)
        book.reserve(self._reservation(book, charges, seq))
        return Granted(self.token, charges, families)

    def _family(self, book: Book, account: str) -> Family | None:
        """The proposed family, if the query still fits into it.

        A family of one is not stored: whoever proposes it has paid for that one. As soon as there
        are two, what is stored counts.
        """
        if self.sharing is None or account not in self.sharing.joins:
            return None
        seen = self.sharing.joins[account]
        found = book.families.get((account, seen.number))
        if found is not None and not book.is_sealed(found):
            return None
        if found is None and seen.is_alone:
            found = seen
        query = self.sharing.member(self.charges[account])
        fits = found is not None and found.takes(query, self.question.version)
        return found if fits else None

    def _charge(self, family: Family | None, price: Amounts) -> Amounts:
        if family is None or self.sharing is None:
            return price
        return family.surcharge(price, both=self.sharing.both)

    def _join_families(self, joined: Mapping[str, Family | None], seq: int) -> Iterator[Family]:
        """The families with this query, new ones if none took it."""
        if self.sharing is None:
            return
        for account, family in joined.items():
            member = self.sharing.member(self.charges[account])
            known = family or Family(account, seq, self.question.version, (), seq)
            yield known.with_member(member, seq)

    def _facts(self, charges: Mapping[str, Amounts]) -> dict[str, Any]:
        """What the entry seals."""
        asked = self.question
        return {
            "data": asked.data,
            "version": asked.version,
            "analyst": asked.analyst,
            "group": asked.asker_group,
            "key": asked.key,
            "question": digest(asked.text),
            "charges": {account: write_amounts(paid) for account, paid in charges.items()},
        }

    def _reservation(self, book: Book, charges: Mapping[str, Amounts], seq: int) -> Reservation:
        asked = self.question
        return Reservation(
            asked.key,
            asked.data,
            asked.version,
            asked.analyst,
            asked.asker_group,
            asked.text,
            charges,
            self.token,
            book.now + self.lease,
            seq,
            book.at,
        )

    def _take_over(self, book: Book, found: Reservation) -> Granted:
        book.append("take over", {"key": found.key, "analyst": self.question.analyst})
        book.reserve(replace(found, token=self.token, lease_until=book.now + self.lease))
        return Granted(self.token, found.charges)


@dataclass(frozen=True)
class Commit:
    """Store the answer to a reserved query."""

    key: str
    token: str
    body: str

    @property
    def accounts(self) -> tuple[str, ...]:
        """None: the price has been paid."""
        return ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of the query."""
        return (self.key,)

    @property
    def families(self) -> tuple[tuple[str, int], ...]:
        """None."""
        return ()

    def apply(self, book: Book) -> Stored | Pending:
        """Store it; or return what another worker has stored, or that one is still computing."""
        found = book.reservations.get(self.key)
        if found is None:
            raise InternalError("An answer that nobody had paid for was about to be stored.")
        if found.answer_seq is not None:
            return Stored(book.answers[self.key])
        if found.token != self.token:
            return Pending(found.lease_until)
        seq = book.append("commit", {"key": self.key, "answer": digest(self.body)})
        book.reserve(replace(found, answer_seq=seq))
        book.answer(self.key, self.body)
        return Stored(self.body)


def _check(book: Book, account: str, price: Amounts) -> None:
    """Refuse what an account cannot pay; one without a cap is refused even a price of zero."""
    balances = book.accounts.get(account)
    for unit, amount in price.items():
        left = balances[unit].left if balances and unit in balances else Fraction(0)
        if balances is None or amount > left:
            raise OverBudgetError(account, unit, amount, left)
