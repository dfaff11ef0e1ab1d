"""Families: queries about disjoint sets of rows, which are paid once (parallel composition)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from microveil.dp.filters import (
    And,
    ColumnComparison,
    Constant,
    Filter,
    Membership,
    Missing,
    Or,
)
from microveil.dp.prices.loss import Loss

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration
    from microveil.dp.queries.base import Query

MOST_TERMS = 64
"""Filters with more alternatives are not taken apart, and then count as overlapping."""
MOST_TRIED = 1000
"""Families that a query is compared with, newest first."""


@dataclass(frozen=True)
class _Range:
    """What a conjunction says of one column."""

    low: Constant | None = None
    low_open: bool = False
    high: Constant | None = None
    high_open: bool = False
    allowed: frozenset[Constant] | None = None
    excluded: frozenset[Constant] = frozenset()
    null: bool | None = None

    def is_empty(self) -> bool:
        """Whether no cell can be like this."""
        if self.low is not None and self.high is not None:
            crossed = _below(self.high, self.low)
            touching = self.low == self.high and (self.low_open or self.high_open)
            if crossed or touching:
                return True
        return self.allowed is not None and not any(self._inside(one) for one in self.allowed)

    def within(self, other: _Range) -> _Range:
        """What both say of a cell that is there."""
        low, low_open = self.low, self.low_open
        if other.low is not None and (low is None or _below(low, other.low)):
            low, low_open = other.low, other.low_open
        elif other.low == low:
            low_open = low_open or other.low_open
        high, high_open = self.high, self.high_open
        if other.high is not None and (high is None or _below(other.high, high)):
            high, high_open = other.high, other.high_open
        elif other.high == high:
            high_open = high_open or other.high_open
        allowed = self.allowed
        if other.allowed is not None:
            allowed = other.allowed if allowed is None else allowed & other.allowed
        both = self.excluded | other.excluded
        return _Range(low, low_open, high, high_open, allowed, both, self.null)

    def _inside(self, value: Constant) -> bool:
        if value in self.excluded:
            return False
        above = self.low is None or not _below(value, self.low)
        below = self.high is None or not _below(self.high, value)
        on_edge = (self.low_open and value == self.low) or (self.high_open and value == self.high)
        return above and below and not on_edge


def _below(one: Constant, other: Constant) -> bool:
    """Whether one is smaller; constants of different kinds are not compared."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one < other
    return one < other


Box = Mapping[str, _Range]
"""What a conjunction says of each column that it names."""
Boxes = tuple[Box, ...] | None
"""The alternatives of a filter; none without a filter, or if there are too many."""


def disjoint(one: Filter | None, other: Filter | None) -> bool:
    """Whether no row can satisfy both filters. True is certain, False may be conservative.

    Filters that were not fitted to a declaration are compared both exactly and in floating-point
    numbers, because their columns may hold either.

    >>> from microveil.dp.filters import as_filter
    >>> disjoint(as_filter("age < 30"), as_filter("age >= 30 AND sex = 'f'"))
    True
    """
    if not boxes_disjoint(boxes(one), boxes(other)):
        return False
    rounded = [None if where is None else _in_doubles(where) for where in (one, other)]
    return boxes_disjoint(boxes(rounded[0]), boxes(rounded[1]))


def _in_doubles(where: Filter) -> Filter:
    """The filter as a column of floating-point numbers sees it."""
    match where:
        case And(parts):
            return And(tuple(_in_doubles(part) for part in parts))
        case Or(parts):
            return Or(tuple(_in_doubles(part) for part in parts))
        case Membership(values=values):
            return replace(where, values=tuple(_as_double(value) for value in values))
        case ColumnComparison(value=value):
            return replace(where, value=_as_double(value))
    return where


def _as_double(value: Constant) -> Constant:
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def boxes_disjoint(one: Boxes, other: Boxes) -> bool:
    """The same of filters fitted to their declaration, taken apart before."""
    if one is None or other is None or len(one) * len(other) > MOST_TERMS**2:
        return False
    return all(_apart(left, right) for left, right in product(one, other))


Leaf = ColumnComparison | Membership | Missing


def _apart(one: Box, other: Box) -> bool:
    """Whether some column cannot be as both say."""
    return any(
        name in other and (known.null != other[name].null or known.within(other[name]).is_empty())
        for name, known in one.items()
    )


@lru_cache(maxsize=4096)
def boxes(of: Filter | None) -> Boxes:
    """The alternatives of a filter that can hold at all."""
    terms = None if of is None else _alternatives(of)
    if terms is None:
        return None
    found = [_box(term) for term in terms]
    return tuple(box for box in found if box is not None)


def _alternatives(of: Filter) -> list[tuple[Leaf, ...]] | None:
    """The filter as alternatives, each a list of conditions that all hold."""
    match of:
        case Or(parts):
            inner = [_alternatives(part) for part in parts]
            if any(one is None for one in inner):
                return None
            found = [term for one in inner if one is not None for term in one]
        case And(parts):
            inner = [_alternatives(part) for part in parts]
            lists = [one for one in inner if one is not None]
            if len(lists) < len(inner) or math.prod(len(one) for one in lists) > MOST_TERMS:
                return None
            found = [tuple(leaf for term in terms for leaf in term) for terms in product(*lists)]
        case _:
            found = [(of,)]
    return found if len(found) <= MOST_TERMS else None


def _box(leaves: Iterable[Leaf]) -> Box | None:
    """What conditions say together; none if they contradict each other."""
    columns: dict[str, _Range] = {}
    for leaf in leaves:
        found = _narrow(columns.get(leaf.column, _Range()), leaf)
        if found is None or found.is_empty():
            return None
        columns[leaf.column] = found
    return columns


def _narrow(known: _Range, leaf: Leaf) -> _Range | None:
    """What is known after one more condition; none when it contradicts what was known."""
    is_null = isinstance(leaf, Missing) and not leaf.negated
    if known.null is not None and known.null != is_null:
        return None
    known = replace(known, null=is_null)
    if isinstance(leaf, Missing):
        return known
    if isinstance(leaf, ColumnComparison) and leaf.operator not in {"=", "!="}:
        return _bound_range(known, leaf.operator, leaf.value)
    values = frozenset(leaf.values if isinstance(leaf, Membership) else (leaf.value,))
    negated = leaf.negated if isinstance(leaf, Membership) else leaf.operator == "!="
    if negated:
        return replace(known, excluded=known.excluded | values)
    return replace(known, allowed=values if known.allowed is None else known.allowed & values)


def _bound_range(known: _Range, operator: str, value: Constant) -> _Range:
    is_open = operator in {"<", ">"}
    if operator in {">", ">="}:
        if known.low is None or _below(known.low, value):
            return replace(known, low=value, low_open=is_open)
        return replace(known, low_open=known.low_open or (is_open and value == known.low))
    if known.high is None or _below(value, known.high):
        return replace(known, high=value, high_open=is_open)
    return replace(known, high_open=known.high_open or (is_open and value == known.high))


@dataclass(frozen=True)
class Member:
    """One answered query of a family."""

    where: Filter | None
    loss: Loss


class Families:
    """Answered queries in families; within a family, no row is in two queries.

    *Why that is enough.* Adding or removing a row affects at most one query of a family: the family
    costs what its most expensive query costs. A changed row can leave one query and enter another:
    the family costs its two most expensive queries. An entity with several rows can be in several
    queries, so each of its queries is paid. Families add up.
    """

    def __init__(self, declaration: Declaration) -> None:
        """Start without queries."""
        self._declaration = declaration
        self._shares_rows = declaration.max_rows > 1
        self._changed = declaration.neighbours == "change_one"
        self._families: list[list[Member]] = []

    def charge(self, query: Query, loss: Loss) -> Loss:
        """What a query would cost in addition to those answered so far."""
        return self._place(query.fit(self._declaration), loss)[1]

    def add(self, query: Query, loss: Loss) -> Loss:
        """Add an answered query; return what it cost in addition."""
        query = query.fit(self._declaration)
        place, extra = self._place(query, loss)
        member = Member(query.where, loss)
        if place is None:
            self._families.append([member])
        else:
            self._families[place].append(member)
        return extra

    @property
    def total(self) -> Loss:
        """What all cost together."""
        whole = Loss()
        for family in self._families:
            whole += self._cost([member.loss for member in family])
        return whole

    def _place(self, query: Query, loss: Loss) -> tuple[int | None, Loss]:
        """The family where the query costs least, and its cost there."""
        best: tuple[int | None, Loss] = (None, loss)
        if self._shares_rows or query.where is None:
            return best
        first = max(len(self._families) - MOST_TRIED, 0)
        for at in range(first, len(self._families)):
            family = self._families[at]
            losses = [member.loss for member in family]
            extra = self._cost([*losses, loss]) - self._cost(losses)
            better = best[0] is None or extra != best[1]
            if extra.fits(best[1]) and better and self._apart(query.where, family):
                best = (at, extra)
        return best

    @staticmethod
    def _apart(where: Filter, family: list[Member]) -> bool:
        rows = boxes(where)
        return all(boxes_disjoint(rows, boxes(member.where)) for member in family)

    def _cost(self, losses: list[Loss]) -> Loss:
        highest = second = Loss()
        for loss in losses:
            second = second.larger(_smaller(highest, loss))
            highest = highest.larger(loss)
        return highest + second if self._changed else highest


def _smaller(one: Loss, other: Loss) -> Loss:
    return Loss.of(
        min(one.epsilon, other.epsilon), min(one.delta, other.delta), min(one.rho, other.rho)
    )
