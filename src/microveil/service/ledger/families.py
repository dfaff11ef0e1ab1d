"""Families: paid queries about disjoint sets of rows, which one account pays once.

Within a family no row is in two queries, so that one person's row affects one of them (two, if
neighbouring tables differ by a changed row), and the family costs its most expensive query (its two
most expensive). Which family a query joins is proposed beforehand; whether it fits is decided here,
under the writer's lock, on the family as it then is. A query that does not fit founds its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from microveil.dp import as_filter
from microveil.dp.filters import Filter
from microveil.dp.prices.families import Boxes, boxes, boxes_disjoint
from microveil.registry.chain import canonical, digest
from microveil.service.ledger.amounts import Amounts, read_amounts, write_amounts

MOST_MEMBERS = 64
"""Queries of one family, so that checking another stays cheap."""


@dataclass(frozen=True)
class Member:
    """A paid query: its rows, and what it would have cost alone."""

    where: str
    price: Amounts
    parsed: Filter | None = field(default=None, compare=False)
    """The parsed filter, if available: parsing takes longer than comparing."""

    @cached_property
    def rows(self) -> Boxes:
        """The rows that the filter keeps, by its condition on each column."""
        return boxes(as_filter(self.where) if self.parsed is None else self.parsed)


@dataclass(frozen=True, eq=False)
class Family:
    """The queries of one account about disjoint sets of rows of one version of the data."""

    account: str
    number: int
    """The entry that founded it."""
    version: str
    members: tuple[Member, ...]
    changed: int
    """The last entry that changed it."""

    @property
    def is_alone(self) -> bool:
        """Whether there is only one query in it."""
        return len(self.members) == 1

    def takes(self, query: Member, version: str) -> bool:
        """Whether a query shares no row with those that are in it."""
        return (
            self.version == version
            and len(self.members) < MOST_MEMBERS
            and all(boxes_disjoint(query.rows, member.rows) for member in self.members)
        )

    def surcharge(self, price: Amounts, *, both: bool) -> dict[str, Fraction]:
        """What a further query costs in addition: the excess over the price it replaces."""
        counted = self._least_counted(both=both)
        nothing = Fraction(0)
        return {
            unit: max(amount - counted.get(unit, nothing), nothing)
            for unit, amount in price.items()
        }

    def _least_counted(self, *, both: bool) -> Amounts:
        """The price that a more expensive query replaces: the highest, or the second highest."""
        return self._second if both else self._highest

    @cached_property
    def _highest(self) -> Amounts:
        return cost(self._prices, both=False)

    @cached_property
    def _second(self) -> Amounts:
        two = cost(self._prices, both=True)
        return {unit: two[unit] - highest for unit, highest in self._highest.items()}

    @property
    def _prices(self) -> list[Amounts]:
        return [member.price for member in self.members]

    def with_member(self, member: Member, changed: int) -> Family:
        """The family with a further query."""
        return replace(self, members=(*self.members, member), changed=changed)

    def row(self) -> dict[str, Any]:
        """The family as a row of its table."""
        members = [{"where": one.where, "price": write_amounts(one.price)} for one in self.members]
        return {
            "account": self.account,
            "number": self.number,
            "version": self.version,
            "members": canonical(members),
            "changed": self.changed,
        }

    @property
    def seal(self) -> str:
        """What the entry that changed it last has sealed."""
        return digest(canonical(self.row()))

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Family:
        """The family in a row of its table."""
        members = (
            Member(one["where"], read_amounts(one["price"])) for one in json.loads(row["members"])
        )
        return cls(**{**row, "members": tuple(members)})


def cost(prices: Sequence[Amounts], *, both: bool) -> dict[str, Fraction]:
    """What queries about disjoint rows cost together: the largest price, or the two largest.

    >>> cost([{"epsilon": Fraction(1)}, {"epsilon": Fraction(3)}], both=False)
    {'epsilon': Fraction(3, 1)}
    """
    units = dict.fromkeys(unit for price in prices for unit in price)
    found = {}
    for unit in units:
        amounts = sorted((price.get(unit, Fraction(0)) for price in prices), reverse=True)
        found[unit] = sum(amounts[: 2 if both else 1], Fraction(0))
    return found
