"""The part of the ledger that a batch of steps reads and changes between two commits."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select, tuple_, update

from microveil.registry.chain import Entry, canonical, digest, next_entry, sign
from microveil.service.ledger.amounts import Amounts, read_amounts, write_amounts
from microveil.service.ledger.families import Family
from microveil.service.ledger.refusals import SignedLedgerError
from microveil.service.ledger.schema import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    FAMILIES,
    HEAD,
    RESERVATIONS,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class Balance:
    """What an account may spend and has spent in one unit."""

    cap: Fraction
    spent: Fraction = Fraction(0)

    @property
    def left(self) -> Fraction:
        """What can still be spent; zero if the cap was lowered below the amount spent."""
        return max(self.cap - self.spent, Fraction(0))


@dataclass(frozen=True)
class Reservation:
    """A query that was paid for."""

    key: str
    data: str
    version: str
    analyst: str
    asker_group: str
    question: str
    charges: Mapping[str, Amounts]
    """What each account pays."""
    token: str
    """Held by whoever computes the answer: only its holder may store one."""
    lease_until: int
    """Milliseconds since 1970; afterwards another worker may take over."""
    seq: int
    at: str
    answer_seq: int | None = None

    def row(self) -> dict[str, Any]:
        """The reservation as a row of its table."""
        charges = {account: write_amounts(paid) for account, paid in self.charges.items()}
        return {**self.__dict__, "charges": canonical(charges)}

    @property
    def facts(self) -> dict[str, Any]:
        """What the entry that paid for it says of it; the key is made of the first four."""
        asked = digest(self.question)
        key = digest(canonical([self.data, self.version, self.asker_group, self.question]))
        return {
            "data": self.data,
            "version": self.version,
            "analyst": self.analyst,
            "group": self.asker_group,
            "question": asked if key == self.key else "",
            "charges": self.row()["charges"],
            "seq": self.seq,
            "at": self.at,
        }

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Reservation:
        """The reservation in a row of its table."""
        charges = {
            account: read_amounts(paid) for account, paid in json.loads(row["charges"]).items()
        }
        return cls(**{**row, "charges": charges})


@dataclass
class Book:
    """The part of the ledger that a batch needs, read under the writer's lock."""

    connection: Connection
    at: str
    now: int
    """Milliseconds since 1970."""
    key: bytes | None = None
    """The key that signs entries, if they are signed."""
    accounts: dict[str, dict[str, Balance]] = field(default_factory=dict)
    reservations: dict[str, Reservation] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    families: dict[tuple[str, int], Family] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Lock the head and set up the lists of changes."""
        query = select(HEAD.c.seq, HEAD.c.hash).where(HEAD.c.id == 1).with_for_update()
        seq, last = self.connection.execute(query).one()
        self._last = Entry(seq, "", "", "", "", last)
        self._check_key()
        self._entries: list[Entry] = []
        self._spent: set[str] = set()
        self._capped: set[str] = set()
        self._known: set[tuple[str, str]] = set()
        self._new: dict[str, Reservation] = {}
        self._changed: dict[str, Reservation] = {}
        self._new_answers: dict[str, str] = {}
        self._new_families: dict[tuple[str, int], Family] = {}
        self._changed_families: dict[tuple[str, int], Family] = {}

    def _check_key(self) -> None:
        """Refuse to continue a signed ledger without its key."""
        query = select(ENTRIES.c.signature).where(ENTRIES.c.seq == self._last.seq)
        signature = self.connection.execute(query).scalar()
        if signature is None:
            return
        if self.key is None or not hmac.compare_digest(sign(self.key, self._last.hash), signature):
            raise SignedLedgerError

    def load(
        self,
        accounts: Iterable[str],
        keys: Iterable[str],
        families: Iterable[tuple[str, int]] = (),
    ) -> None:
        """Read what the steps of the batch need, in one query per table."""
        if names := sorted(set(accounts)):
            query = select(BALANCES).where(BALANCES.c.account.in_(names))
            for account, unit, cap, spent in self.connection.execute(query):
                balance = Balance(Fraction(cap), Fraction(spent))
                self.accounts.setdefault(account, {})[unit] = balance
                self._known.add((account, unit))
        if wanted := sorted(set(keys)):
            query = select(RESERVATIONS).where(RESERVATIONS.c.key.in_(wanted))
            for row in self.connection.execute(query).mappings():
                self.reservations[row["key"]] = Reservation.of(dict(row))
        answered = [key for key, one in self.reservations.items() if one.answer_seq is not None]
        if answered:
            stored = select(ANSWERS).where(ANSWERS.c.key.in_(answered))
            self.answers |= dict(tuple(row) for row in self.connection.execute(stored))

        if proposed := sorted(set(families)):
            columns = tuple_(FAMILIES.c.account, FAMILIES.c.number)
            query = select(FAMILIES).where(columns.in_(proposed))
            for row in self.connection.execute(query).mappings():
                found = Family.of(dict(row))
                self.families[found.account, found.number] = found

    @property
    def next(self) -> int:
        """The number of the next entry."""
        return self._last.seq + 1

    def append(self, kind: str, facts: dict[str, Any]) -> int:
        """Add an entry; return its number."""
        self._last = next_entry(self._last, self.at, kind, facts, self.key)
        self._entries.append(self._last)
        return self._last.seq

    def set_caps(self, account: str, caps: Amounts) -> None:
        """Change what an account may spend."""
        balances = self.accounts.setdefault(account, {})
        for unit, cap in caps.items():
            balances[unit] = replace(balances.get(unit, Balance(cap)), cap=cap)
        self._capped.add(account)

    def spend(self, account: str, amounts: Amounts) -> None:
        """Charge an account whose balance has been checked."""
        balances = self.accounts[account]
        for unit, amount in amounts.items():
            if amount:
                balances[unit] = replace(balances[unit], spent=balances[unit].spent + amount)
        self._spent.add(account)

    def reserve(self, reservation: Reservation) -> None:
        """Store a new or changed reservation."""
        known = reservation.key in self.reservations and reservation.key not in self._new
        (self._changed if known else self._new)[reservation.key] = reservation
        self.reservations[reservation.key] = reservation

    def answer(self, key: str, body: str) -> None:
        """Store an answer."""
        self.answers[key] = self._new_answers[key] = body

    def join(self, family: Family) -> None:
        """Store a family that a query has founded or joined."""
        place = family.account, family.number
        known = place in self.families and place not in self._new_families
        (self._changed_families if known else self._new_families)[place] = family
        self.families[place] = family

    def is_sealed(self, family: Family) -> bool:
        """Whether the entry that changed a family last has sealed it as it is."""
        found = self._new_families.get((family.account, family.number))
        found = found or self._changed_families.get((family.account, family.number))
        if found is not None:
            return found is family
        query = select(ENTRIES.c.body).where(ENTRIES.c.seq == family.changed)
        body = self.connection.execute(query).scalar()
        sealed = json.loads(body).get("families", {}) if body else {}
        return bool(sealed.get(family.account) == [family.number, family.seal])

    def save(self) -> None:
        """Write the changes; they are durable once the transaction is."""
        if not self._entries:
            return
        run = self.connection.execute
        run(insert(ENTRIES), [entry.__dict__ for entry in self._entries])
        head = update(HEAD).where(HEAD.c.id == 1)
        run(head.values(seq=self._last.seq, hash=self._last.hash))
        self._save_balances()
        if self._new:
            run(insert(RESERVATIONS), [one.row() for one in self._new.values()])
        if self._changed:
            run(_TOKENS, [_changes(one) for one in self._changed.values()])
        if self._new_answers:
            rows = [{"key": key, "body": body} for key, body in self._new_answers.items()]
            run(insert(ANSWERS), rows)
        if self._new_families:
            run(insert(FAMILIES), [one.row() for one in self._new_families.values()])
        if self._changed_families:
            run(_MEMBERS, [_family_entry(one) for one in self._changed_families.values()])

    def _save_balances(self) -> None:
        touched = [
            {"a": account, "u": unit, "cap": str(balance.cap), "spent": str(balance.spent)}
            for account in sorted(self._spent | self._capped)
            for unit, balance in self.accounts[account].items()
        ]
        old = [row for row in touched if (row["a"], row["u"]) in self._known]
        new = [row for row in touched if (row["a"], row["u"]) not in self._known]
        if old:
            self.connection.execute(_AMOUNTS, old)
        if new:
            self.connection.execute(_NEW_BALANCES, new)


_AMOUNTS = (
    update(BALANCES)
    .where(BALANCES.c.account == bindparam("a"), BALANCES.c.unit == bindparam("u"))
    .values(cap=bindparam("cap"), spent=bindparam("spent"))
)
_NEW_BALANCES = insert(BALANCES).values(account=bindparam("a"), unit=bindparam("u"))
_TOKENS = (
    update(RESERVATIONS)
    .where(RESERVATIONS.c.key == bindparam("k"))
    .values(
        token=bindparam("t"), lease_until=bindparam("until"), answer_seq=bindparam("answered_at")
    )
)


_MEMBERS = (
    update(FAMILIES)
    .where(FAMILIES.c.account == bindparam("a"), FAMILIES.c.number == bindparam("n"))
    .values(members=bindparam("m"), changed=bindparam("at"))
)


def _family_entry(one: Family) -> dict[str, Any]:
    return {"a": one.account, "n": one.number, "m": one.row()["members"], "at": one.changed}


def _changes(one: Reservation) -> dict[str, Any]:
    return {
        "k": one.key,
        "t": one.token,
        "until": one.lease_until,
        "answered_at": one.answer_seq,
    }
