"""The audit: replay the hash chain and compare the result with the tables.

It finds entries that were changed, removed, added or moved; any row of any table that is not as
the entries left it; and any moment at which an account exceeded its cap. A chain that was
truncated, or rewritten from some point on, is consistent in itself. Against that, note the seal of
the last entry somewhere else and pass it to a later audit, which then looks for it; or sign the
entries with a key that whoever can write the database cannot read.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from microveil.errors import listing
from microveil.registry.chain import START, Entry, digest, sign
from microveil.service.ledger.refusals import whose
from microveil.service.ledger.replay import Replay

if TYPE_CHECKING:
    from microveil.service.ledger.ledger import Ledger
    from microveil.service.ledger.view import View

_MANY = 20
"""Problems beyond this number are counted, not listed."""
COVERED = (
    "entries and their order",
    "caps and balances",
    "paid queries: who asked, of which version of the data, what it cost",
    "answers",
    "families of queries that share a price",
    "data sets: source, fingerprints, declaration, terms, state",
    "analysts and their groups",
    "keys: holder, role, scope, expiry, revocation",
)
"""What an audit compares with the entries."""


@dataclass(frozen=True)
class Audit:
    """The findings of an audit."""

    n_entries: int
    n_reserved: int
    n_answered: int
    seal: str
    """Seal of the last entry: note it elsewhere."""
    problems: tuple[str, ...]
    n_signed: int | None = None
    """Entries with a valid signature; None if no key was given to verify them."""
    sealed_from: int = 1
    """Entry from which on data sets, analysts and keys are covered: later than the first only in a
    ledger that was begun by an older version."""
    covers: tuple[str, ...] = COVERED

    @property
    def holds(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """The findings as plain data."""
        lists = {"problems": list(self.problems), "covers": list(self.covers)}
        return {**self.__dict__, **lists, "holds": self.holds}


def audit(ledger: Ledger, expected: str | None = None) -> Audit:
    """Verify the whole ledger as of one moment, even while in use.

    ``expected`` is a seal from an earlier audit that must still be in it. Signatures are verified
    with the ledger's key, if it was opened with one.
    """
    with ledger.view() as view:
        return _audit(view, expected, ledger.key)


def _audit(view: View, expected: str | None, key: bytes | None) -> Audit:
    replay, last, seen = Replay(), START, expected is None
    signatures = _Signatures(key)
    for entry in view.entries():
        replay.n_entries += 1
        if entry.seq != replay.n_entries or entry.previous != last or not entry.sealed:
            replay.problems.append(f"Entry {entry.seq} does not follow from the one before it.")
        replay.take(entry)
        signatures.take(entry)
        seen = seen or entry.hash == expected
        last = entry.hash
    if not seen:
        replay.problems.append("The expected seal is not in the ledger: entries were replaced.")
    replay.problems += signatures.problems()
    replay.problems += _head(view, replay.n_entries, last)
    replay.problems += [*_balances(view, replay), *_check_paid(view, replay), *_rows(view, replay)]
    return Audit(
        replay.n_entries,
        len(replay.paid),
        len(replay.answers),
        last,
        _shorten(replay.problems),
        None if key is None else signatures.n_valid,
        replay.sealed_from,
    )


class _Signatures:
    """The signatures of entries: from the first one on, every entry has one."""

    def __init__(self, key: bytes | None) -> None:
        """Verify with a key, or only that none is missing."""
        self._key = key
        self.n_valid = 0
        self._first: int | None = None
        self._unsigned: list[int] = []
        self._wrong: list[int] = []

    def take(self, entry: Entry) -> None:
        """Look at the next entry."""
        if entry.signature is None:
            if self._first is not None:
                self._unsigned.append(entry.seq)
            return
        self._first = self._first or entry.seq
        if self._key is None:
            return
        if hmac.compare_digest(sign(self._key, entry.hash), entry.signature):
            self.n_valid += 1
        else:
            self._wrong.append(entry.seq)

    def problems(self) -> list[str]:
        """What is wrong with them."""
        found = []
        if self._unsigned:
            found.append(f"Entries after a signed one are not signed: {_numbers(self._unsigned)}.")
        if self._wrong:
            found.append(f"Entries are signed with another key: {_numbers(self._wrong)}.")
        if self._key is not None and self._first is None:
            found.append("A key was given, and no entry is signed.")
        return found


def _numbers(entries: list[int]) -> str:
    return listing([str(entry) for entry in entries], most=3)


def _head(view: View, n_entries: int, last: str) -> list[str]:
    seq, seal = view.head()
    if (seq, seal) == (n_entries, last):
        return []
    return [f"The head counts {seq} entries; there are {n_entries}, or the last one differs."]


def _balances(view: View, replay: Replay) -> list[str]:
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


def _check_paid(view: View, replay: Replay) -> list[str]:
    """Queries and answers whose rows differ from what the entries sealed."""
    rows = view.paid_queries()
    paid = {one.reservation.key: one.reservation.facts for one in rows}
    answers = {
        one.reservation.key: (digest(one.answer or ""), one.reservation.answer_seq)
        for one in rows
        if one.answer is not None or one.reservation.answer_seq is not None
    }
    problems = []
    if wrong := _different(paid, replay.paid):
        problems.append(f"Queries changed since they were paid for: {listing(wrong, most=3)}.")
    stray = view.stray_answers()
    wrong = sorted({*_different(answers, replay.answers), *(key[:12] for key in stray)})
    if wrong:
        problems.append(f"Answers changed since they were sent: {listing(wrong, most=3)}.")
    return problems


def _rows(view: View, replay: Replay) -> list[str]:
    """Families, data sets, analysts and keys that are not as the entries left them."""
    problems = []
    if _different(view.family_seals(), replay.families):
        problems.append("Families of queries that share a price do not match the entries.")
    wrong = _different(view.row_seals(), replay.rows, most=None)
    for table, what in _WORDS.items():
        places = [place for place in wrong if place.startswith(f"{table}:")]
        if places:
            names = listing([place.partition(":")[2] for place in places], most=3)
            problems.append(f"{what} changed outside the ledger: {names}.")
    return problems


_WORDS = {"data_sets": "Data sets", "analysts": "Analysts", "api_keys": "Keys"}


def _different(first: dict[Any, Any], second: dict[Any, Any], most: int | None = 12) -> list[str]:
    """The places where two states differ, shortened."""
    places = (place for place in first | second if first.get(place) != second.get(place))
    return sorted(str(place)[:most] for place in places)


def _shorten(problems: list[str]) -> tuple[str, ...]:
    more = len(problems) - _MANY
    return tuple(problems[:_MANY] + ([f"… and {more} more."] if more > 0 else []))


def summary(found: Audit) -> str:
    """The findings in words: whether it is intact, and what that covers."""
    what = f"{found.n_entries:,} entries, {found.n_reserved:,} paid, {found.n_answered:,} answered"
    if not found.holds:
        return f"The ledger is NOT intact ({what}):\n" + "\n".join(found.problems)
    return f"The ledger is intact: {what}. Last seal: {found.seal}\n{coverage_words(found)}"


def coverage_words(found: Audit) -> str:
    """What the audit has compared with the entries, and what it cannot see."""
    lines = [f"Compared with the entries: {'; '.join(found.covers)}."]
    if found.sealed_from > 1:
        lines.append(
            f"Data sets, analysts and keys are covered from entry {found.sealed_from} on, where "
            "the ledger was upgraded; earlier changes of them are not."
        )
    if found.n_signed is None:
        lines.append(
            "Not covered: a ledger replaced or cut as a whole, unless a noted seal is expected "
            "(--expect) or its entries are signed (MICROVEIL_AUDIT_KEY); the data files."
        )
    else:
        lines.append(
            f"{found.n_signed:,} entries are signed with this key. Not covered: a ledger cut after "
            "a signed entry, unless a noted seal is expected (--expect); the data files."
        )
    return "\n".join(lines)
