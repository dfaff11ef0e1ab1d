"""The audit: replay the hash chain and compare the result with the tables.

It finds entries that were changed, removed, added or moved; balances, reservations or answers that
do not match the entries; and any moment at which an account exceeded its cap. A chain that was
truncated, or rewritten from some point on, is consistent in itself: note the seal of the last
entry somewhere else, and pass it to a later audit, which then looks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from microveil.errors import listing
from microveil.service.ledger.amounts import read
from microveil.service.ledger.chain import START, Entry, canonical, digest
from microveil.service.ledger.refusals import whose

if TYPE_CHECKING:
    from microveil.service.ledger.ledger import Ledger
    from microveil.service.ledger.view import View

_MANY = 20
"""Problems beyond this number are counted, not listed."""


@dataclass(frozen=True)
class Audit:
    """The findings of an audit."""

    n_entries: int
    n_reserved: int
    n_answered: int
    seal: str
    """Seal of the last entry: note it elsewhere."""
    problems: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """The findings as plain data."""
        return {**self.__dict__, "problems": list(self.problems), "holds": self.holds}


@dataclass
class _Replay:
    """The state that results from the entries."""

    caps: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    spent: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    questions: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Key to the digest of the query, and the charges as text."""
    answers: dict[str, str] = field(default_factory=dict)
    """Key to the digest of the answer."""
    problems: list[str] = field(default_factory=list)

    def take(self, entry: Entry) -> None:
        """Process the next entry."""
        facts = entry.facts
        match entry.kind:
            case "caps":
                for unit, cap in read(facts["caps"]).items():
                    self.caps[facts["account"], unit] = cap
            case "reserve":
                self._reserve(entry.seq, facts)
            case "commit":
                self._commit(entry.seq, facts)

    def _reserve(self, seq: int, facts: dict[str, Any]) -> None:
        if facts["key"] in self.questions:
            self.problems.append(f"Entry {seq} charges a query for the second time.")
        self.questions[facts["key"]] = facts["question"], canonical(facts["charges"])
        for account, charge in facts["charges"].items():
            for unit, amount in read(charge).items():
                place = account, unit
                self.spent[place] = self.spent.get(place, Fraction(0)) + amount
                if amount and self.spent[place] > self.caps.get(place, Fraction(0)):
                    self.problems.append(f"Entry {seq} overspends the {unit} of {whose(account)}.")

    def _commit(self, seq: int, facts: dict[str, Any]) -> None:
        if facts["key"] not in self.questions:
            self.problems.append(f"Entry {seq} answers a query that nobody paid for.")
        if facts["key"] in self.answers:
            self.problems.append(f"Entry {seq} answers a query for the second time.")
        self.answers[facts["key"]] = facts["answer"]


def audit(ledger: Ledger, expected: str | None = None) -> Audit:
    """Verify the whole ledger as of one moment, even while in use.

    ``expected`` is a seal from an earlier audit that must still be in it.
    """
    with ledger.view() as view:
        return _audit(view, expected)


def _audit(view: View, expected: str | None) -> Audit:
    replay, last, n_entries, seen = _Replay(), START, 0, expected is None
    for entry in view.entries():
        n_entries += 1
        if entry.seq != n_entries or entry.previous != last or not entry.sealed:
            replay.problems.append(f"Entry {entry.seq} does not follow from the one before it.")
        replay.take(entry)
        seen = seen or entry.hash == expected
        last = entry.hash
    if not seen:
        replay.problems.append("The expected seal is not in the ledger: entries were replaced.")
    replay.problems += _head(view, n_entries, last)
    replay.problems += [*_balances(view, replay), *_answers(view, replay)]
    return Audit(
        n_entries,
        len(replay.questions),
        len(replay.answers),
        last,
        _shortened(replay.problems),
    )


def _head(view: View, n_entries: int, last: str) -> list[str]:
    seq, seal = view.head()
    if (seq, seal) == (n_entries, last):
        return []
    return [f"The head counts {seq} entries; there are {n_entries}, or the last one differs."]


def _balances(view: View, replay: _Replay) -> list[str]:
    """Accounts whose row does not match the sum of the entries."""
    shown = {
        (account, unit): (balance.cap, balance.spent)
        for account, balances in view.accounts().items()
        for unit, balance in balances.items()
    }
    replayed = {
        place: (cap, replay.spent.get(place, Fraction(0))) for place, cap in replay.caps.items()
    }
    wrong = sorted({one for one in shown | replayed if shown.get(one) != replayed.get(one)})
    return [
        f"The {unit} of {whose(account)} does not match the entries." for account, unit in wrong
    ]


def _answers(view: View, replay: _Replay) -> list[str]:
    """Queries and answers whose rows differ from what the entries sealed."""
    rows = view.paid()
    questions = {
        one.reservation.key: (digest(one.reservation.question), one.reservation.row()["charges"])
        for one in rows
    }
    answers = {one.reservation.key: digest(one.answer) for one in rows if one.answer is not None}
    problems = []
    if wrong := _different(questions, replay.questions):
        problems.append(f"Queries changed since they were paid for: {listing(wrong, most=3)}.")
    if wrong := _different(answers, replay.answers):
        problems.append(f"Answers changed since they were sent: {listing(wrong, most=3)}.")
    return problems


def _different(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    return sorted(key[:12] for key in first | second if first.get(key) != second.get(key))


def _shortened(problems: list[str]) -> tuple[str, ...]:
    more = len(problems) - _MANY
    return tuple(problems[:_MANY] + ([f"… and {more} more."] if more > 0 else []))


def summary(found: Audit) -> str:
    """The findings in one sentence."""
    what = f"{found.n_entries:,} entries, {found.n_reserved:,} paid, {found.n_answered:,} answered"
    if found.holds:
        return f"The ledger is intact: {what}. Last seal: {found.seal}"
    return f"The ledger is NOT intact ({what}):\n" + "\n".join(found.problems)
