"""Record sources: what tables are counted from, each in one pass for all tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.tables import Roles, Table
from microveil.tabulation.sources.gathered import Gathered
from microveil.tabulation.tabulation import Tabulation

KeyReader = Callable[[pl.DataFrame], Longs]
"""The record keys of a frame."""
MOST_WAITING = 4_000_000
"""Gathered rows that wait before they are added up."""


class RecordSource(ABC):
    """Records that tables are counted from."""

    @abstractmethod
    def gather(
        self, tabulations: Sequence[Tabulation], keys: KeyReader | None = None
    ) -> list[Gathered]:
        """The records of each of some tables, in one pass."""


@dataclass(frozen=True, eq=False)
class TableSource(RecordSource):
    """Records in memory."""

    table: Table

    def gather(
        self, tabulations: Sequence[Tabulation], keys: KeyReader | None = None
    ) -> list[Gathered]:
        """The records of each table."""
        own = None if keys is None else keys(self.table.frame)
        return [Gathered.of(self.table, one, own) for one in tabulations]


@dataclass(frozen=True, eq=False)
class PartsSource(RecordSource):
    """Records that come in parts: memory holds one part, and what was gathered."""

    parts: Iterable[pl.DataFrame]
    roles: Roles | None = None

    def gather(
        self, tabulations: Sequence[Tabulation], keys: KeyReader | None = None
    ) -> list[Gathered]:
        """The records of each table, added up part by part."""
        sums = RunningSums(tabulations, self.roles, keys)
        for part in self.parts:
            sums.add(part)
        return sums.close()


@dataclass(eq=False)
class RunningSums:
    """What was gathered from the parts so far."""

    tabulations: Sequence[Tabulation]
    roles: Roles | None = None
    keys: KeyReader | None = None
    first: int = 0
    """The number of the next record."""
    _waiting: list[list[Gathered]] = field(default_factory=list)
    """What was gathered from each part, for each table."""
    _n_waiting: int = 0

    def add(self, part: pl.DataFrame) -> None:
        """Gather the records of one more part."""
        if not part.height:
            return
        table = Table(part, self.roles)
        own = None if self.keys is None else self.keys(table.frame)
        found = [Gathered.of(table, one, own, self.first) for one in self.tabulations]
        self.first += part.height
        self.take(found)

    def take(self, found: list[Gathered]) -> None:
        """Add what was gathered elsewhere."""
        self._waiting.append(found)
        self._n_waiting += sum(one.sums.height for one in found)
        if self._n_waiting > MOST_WAITING:
            self._waiting = [self._together()]
            self._n_waiting = sum(one.sums.height for one in self._waiting[0])

    def close(self) -> list[Gathered]:
        """The records of each table; no record at all is an error."""
        if not self._waiting:
            raise InputError("The table has no rows.")
        return self._together()

    def _together(self) -> list[Gathered]:
        return [
            Gathered.together(list(parts), tabulation)
            for parts, tabulation in zip(
                zip(*self._waiting, strict=True), self.tabulations, strict=True
            )
        ]
