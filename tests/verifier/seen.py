"""What an intruder sees of a release, in plain rows; nothing here comes from the library."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

import polars as pl

Row = Mapping[str, Any]
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Seen:
    """Released rows, the keys an intruder knows, and whose each row is.

    ``wildcard``: a missing key matches every value; else it is a value of its own. ``linked``:
    the rows show which of them are one person's.
    """

    rows: Sequence[Row]
    keys: Sequence[str]
    wildcard: bool = False
    people: Sequence[Hashable] | None = None
    linked: bool = False
    weight: str | None = None
    ranks: Mapping[str, Mapping[Any, int]] | None = None
    """The order of the values of columns that have one of their own: their categories."""

    def key(self, row: int) -> Key:
        """The cells of a row that an intruder may know."""
        return tuple(self.rows[row][name] for name in self.keys)

    @cached_property
    def sets(self) -> bool:
        """Whether people are told apart by all their rows together."""
        if self.people is None or not self.linked:
            return False
        gaps = any(None in self.key(row) for row in range(len(self.rows)))
        return not (self.wildcard and gaps)

    @cached_property
    def groups(self) -> list[Group]:
        """The classes: rows, or people, that share what an intruder knows."""
        return list(self._by_people() if self.sets else self._by_rows())

    @cached_property
    def by_row(self) -> Seen:
        """The same, every row looked at by itself."""
        return Seen(self.rows, self.keys, self.wildcard, self.people, False, self.weight)

    def beside(self, column: str) -> Seen:
        """What is known beside a column: whoever looks for its value does not know it."""
        keys = [name for name in self.keys if name != column]
        return self if len(keys) == len(self.keys) else replace(self, keys=keys)

    def _by_rows(self) -> Iterator[Group]:
        found: dict[Key, list[int]] = defaultdict(list)
        for row in range(len(self.rows)):
            found[self.key(row)].append(row)
        for key, own in found.items():
            matched = own
            if self.wildcard:
                alike = [other for other in found if counts_for(key, other)]
                matched = [row for other in alike for row in found[other]]
            yield Group(self, key, own, matched)

    def _by_people(self) -> Iterator[Group]:
        assert self.people is not None
        rows: dict[Hashable, list[int]] = defaultdict(list)
        for row, person in enumerate(self.people):
            rows[person].append(row)
        alike: dict[frozenset[Key], list[int]] = defaultdict(list)
        for own in rows.values():
            alike[frozenset(self.key(row) for row in own)] += own
        for keys, own in alike.items():
            yield Group(self, tuple(keys), own, own)


@dataclass(frozen=True)
class Group:
    """A class: its own rows, and all rows that it cannot be told from."""

    seen: Seen
    key: Key
    own: Sequence[int]
    matched: Sequence[int]

    @cached_property
    def size(self) -> int:
        """Rows, or people, that the class cannot be told from."""
        return self._heads(self.matched)

    @cached_property
    def count(self) -> int:
        """Rows, or people, of the class itself."""
        return self._heads(self.own)

    def _heads(self, rows: Sequence[int]) -> int:
        people = self.seen.people
        return len(rows) if people is None else len({people[row] for row in rows})

    @cached_property
    def weight(self) -> float:
        """People of the population: weights of the matched, of a person the mean of the rows'."""
        seen, name = self.seen, self.seen.weight
        assert name is not None
        if seen.people is None:
            return math.fsum(seen.rows[row][name] for row in self.matched)
        held: dict[Hashable, list[float]] = defaultdict(list)
        for row in self.matched:
            held[seen.people[row]].append(seen.rows[row][name])
        return math.fsum(math.fsum(one) / len(one) for one in held.values())


def counts_for(mine: Key, theirs: Key) -> bool:
    """Whether a record with their keys may be one with mine (Templ, Kowarik & Meindl 2015).

    A missing key matches every value; a record without any key does not vouch for complete ones.
    """
    nothing, complete = all(one is None for one in theirs), None not in mine
    if len(mine) > 1 and complete and nothing:
        return False
    pairs = zip(mine, theirs, strict=True)
    return all(a is None or b is None or a == b for a, b in pairs)


def values(seen: Seen, rows: Sequence[int], column: str, *, tidy: bool) -> Counter[Any]:
    """How often each value occurs: in rows, for people once each, or as sets of a person's."""
    cells = [seen.rows[row][column] for row in rows]
    cells = [_tidied(cell) for cell in cells] if tidy else cells
    if seen.people is None:
        return Counter(cells)
    people = [seen.people[row] for row in rows]
    if not seen.sets:
        return Counter(value for _, value in set(zip(people, cells, strict=True)))
    held: dict[Hashable, set[Any]] = defaultdict(set)
    for person, cell in zip(people, cells, strict=True):
        held[person].add(cell)
    if tidy:
        held = {who: {one for one in own if one is not None} or {None} for who, own in held.items()}
    return Counter(frozenset(own) for own in held.values())


def _tidied(cell: Any) -> Any:
    return (cell.rstrip() or None) if isinstance(cell, str) else cell


def plain_rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """The frame as plain rows: NaN and empty text are missing, and there is one zero."""
    return [{name: plain(cell) for name, cell in row.items()} for row in frame.to_dicts()]


def plain(cell: Any) -> Any:
    """A cell as a plain value."""
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell + 0.0
    if isinstance(cell, list):
        return tuple(cell)
    if isinstance(cell, Decimal):
        return cell.normalize() + 0
    return None if isinstance(cell, str) and not cell else cell
