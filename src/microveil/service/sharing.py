"""Sharing: which paid queries a new one can share its price with (parallel composition)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock

from microveil.service.ledger.amounts import Amounts
from microveil.service.ledger.families import Family
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import Sharing
from microveil.service.questions import Asked
from microveil.service.registry import DataSet

MOST_TRIED = 32
"""Families of an account that a query is compared with, latest first."""


class Families:
    """The latest families of each account, read from the ledger once."""

    def __init__(self, ledger: Ledger) -> None:
        """Start empty."""
        self._ledger = ledger
        self._known: dict[str, dict[int, Family]] = {}
        self._lock = Lock()

    def sharing(self, asked: Asked, data: DataSet, prices: Mapping[str, Amounts]) -> Sharing | None:
        """The families that would take the query, by account; none if it must pay alone.

        A person with several rows may be in several queries, and a query without a filter is about
        everybody.
        """
        if len(asked.queries) != 1 or data.declaration.max_rows > 1:
            return None
        where = asked.queries[0].to_dict().get("where")
        if where is None:
            return None
        both = data.declaration.neighbours == "change_one"
        found = Sharing(where, both=both)
        joins = {
            account: family.number
            for account, price in prices.items()
            if (family := self._best(account, data.identity, found, price)) is not None
        }
        return Sharing(where, joins, both)

    def charge(self, account: str, sharing: Sharing | None, price: Amounts) -> Amounts:
        """What an account would pay."""
        if sharing is None or account not in sharing.joins:
            return price
        family = self._known[account][sharing.joins[account]]
        return family.surcharge(price, both=sharing.both)

    def _best(self, account: str, version: str, sharing: Sharing, price: Amounts) -> Family | None:
        best, least = None, dict(price)
        for family in self._latest(account):
            extra = family.surcharge(price, both=sharing.both)
            if _cheaper(extra, least) and family.takes(sharing.where, version):
                best, least = family, extra
        return best

    def _latest(self, account: str) -> Iterable[Family]:
        """The families that changed last, latest first."""
        with self._lock:
            known = self._known.setdefault(account, {})
            last = max((one.changed for one in known.values()), default=0)
            with self._ledger.view() as view:
                new = view.families(account, last, MOST_TRIED)
            known |= {one.number: one for one in new}
            ordered = sorted(known.values(), key=lambda one: one.changed)[-MOST_TRIED:]
            self._known[account] = {one.number: one for one in ordered}
            return reversed(ordered)


def _cheaper(one: Amounts, other: Amounts) -> bool:
    return one != other and all(one[unit] <= other[unit] for unit in other)
