"""Sharing: which paid queries a new one can share its price with (parallel composition)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from microveil.service.ledger.amounts import Amounts
from microveil.service.ledger.families import Family
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import Sharing
from microveil.service.questions import Asked
from microveil.service.registry import DataSet

MOST_TRIED = 16
"""Families of an account that a query is compared with, latest first."""
REFRESHED = 1.0
"""Seconds after which the families that other processes have changed are read."""


@dataclass
class _Known:
    """The latest families of an account, oldest first."""

    families: dict[int, Family] = field(default_factory=dict)
    read_at: float = float("-inf")

    def learn(self, family: Family) -> None:
        """Take a family in as the latest, unless a later state of it is known."""
        old = self.families.get(family.number)
        if old is None or old.changed < family.changed:
            self.families.pop(family.number, None)
            self.families[family.number] = family
        while len(self.families) > MOST_TRIED:
            del self.families[next(iter(self.families))]


class Families:
    """The latest families of each account: read from the ledger, and learnt from what is paid.

    A query that has shared with none yet is remembered here alone, so that storing it costs
    nothing: after a restart it counts alone. A proposal may be out of date; the ledger decides on
    the family as it is.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Start empty."""
        self._ledger = ledger
        self._known: dict[str, _Known] = {}
        self._lock = Lock()

    def learn(self, families: Iterable[Family]) -> None:
        """Take in what a paid query has founded or joined."""
        with self._lock:
            for family in families:
                self._known.setdefault(family.account, _Known()).learn(family)

    def sharing(self, asked: Asked, data: DataSet, prices: Mapping[str, Amounts]) -> Sharing | None:
        """The families that would take the query, by account; none if it must pay alone.

        A person with several rows may be in several queries, and a query without a filter is about
        everybody.
        """
        if len(asked.queries) != 1 or data.declaration.max_rows > 1:
            return None
        rows = asked.queries[0].where
        if rows is None:
            return None
        found = Sharing(str(rows), {}, data.declaration.neighbours == "change_one", rows)
        joins = {
            account: family
            for account, price in prices.items()
            if (family := self._best(account, data.identity, found, price)) is not None
        }
        return replace(found, joins=joins)

    def charge(self, account: str, asked: Asked, data: DataSet, price: Amounts) -> Amounts:
        """What an account would pay."""
        sharing = self.sharing(asked, data, {account: price})
        if sharing is None or account not in sharing.joins:
            return price
        return sharing.joins[account].surcharge(price, both=sharing.both)

    def _best(self, account: str, version: str, sharing: Sharing, price: Amounts) -> Family | None:
        query = sharing.member(price)
        best, least = None, dict(price)
        for family in self._latest(account):
            # Most do not fit, which shows sooner than what they would cost.
            if not family.takes(query, version):
                continue
            extra = family.surcharge(price, both=sharing.both)
            if _cheaper(extra, least):
                best, least = family, extra
            if not any(least.values()):
                break
        return best

    def _latest(self, account: str) -> list[Family]:
        """The families that changed last, latest first."""
        with self._lock:
            known = self._known.setdefault(account, _Known())
            if time.monotonic() - known.read_at > REFRESHED:
                known.read_at = time.monotonic()
                last = max((one.changed for one in known.families.values()), default=0)
                with self._ledger.view() as view:
                    new = view.families(account, last, MOST_TRIED)
                for family in new:
                    known.learn(family)
            return list(reversed(known.families.values()))


def _cheaper(one: Amounts, other: Amounts) -> bool:
    return one != other and all(one[unit] <= other[unit] for unit in other)
