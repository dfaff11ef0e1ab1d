"""A read-only snapshot of the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, select

from microveil.registry.chain import Entry
from microveil.service.ledger.book import Balance, Reservation
from microveil.service.ledger.families import Family
from microveil.service.ledger.rows import sealed_rows
from microveil.service.ledger.schema import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    FAMILIES,
    HEAD,
    RESERVATIONS,
)

_CHUNK = 1000


@dataclass(frozen=True)
class Paid:
    """A paid query, and its answer if there is one yet."""

    reservation: Reservation
    answer: str | None


class View:
    """One consistent state of the ledger."""

    def __init__(self, connection: Connection) -> None:
        """Read through a connection; see :meth:`Ledger.view`."""
        self._connection = connection

    def balances(self, account: str) -> dict[str, Balance]:
        """What the account may spend and has spent, by unit; empty for an unknown account."""
        query = select(BALANCES).where(BALANCES.c.account == account).order_by(BALANCES.c.unit)
        return {
            row["unit"]: Balance(Fraction(row["cap"]), Fraction(row["spent"]))
            for row in self.rows(query)
        }

    def accounts(self) -> dict[str, dict[str, Balance]]:
        """Every account."""
        names = select(BALANCES.c.account).distinct().order_by(BALANCES.c.account)
        return {row["account"]: self.balances(row["account"]) for row in self.rows(names)}

    def paid_queries(
        self,
        *,
        data: str | None = None,
        version: str | None = None,
        group: str | None = None,
        analyst: str | None = None,
        answered_after: int | None = None,
        most: int | None = None,
    ) -> list[Paid]:
        """Paid queries, oldest first; ``answered_after`` selects those answered since then."""
        table = RESERVATIONS.outerjoin(ANSWERS, RESERVATIONS.c.key == ANSWERS.c.key)
        query = select(RESERVATIONS, ANSWERS.c.body).select_from(table).order_by(RESERVATIONS.c.seq)
        conditions = {"data": data, "version": version, "asker_group": group, "analyst": analyst}
        for column, wanted in conditions.items():
            if wanted is not None:
                query = query.where(RESERVATIONS.c[column] == wanted)
        if answered_after is not None:
            query = query.where(RESERVATIONS.c.answer_seq > answered_after)
        if most is not None:
            query = query.order_by(None).order_by(RESERVATIONS.c.seq.desc()).limit(most)
        rows = sorted((dict(row) for row in self.rows(query)), key=lambda row: int(row["seq"]))
        return [Paid(answer=row.pop("body"), reservation=Reservation.of(row)) for row in rows]

    def families(self, account: str, after: int, most: int | None = None) -> list[Family]:
        """The families of an account that changed after an entry, the latest ``most`` of them."""
        query = select(FAMILIES).where(FAMILIES.c.account == account, FAMILIES.c.changed > after)
        rows = self.rows(query.order_by(FAMILIES.c.changed.desc()).limit(most))
        return [Family.of(dict(row)) for row in reversed(rows)]

    def family_seals(self) -> dict[tuple[str, int], str]:
        """The seal of every family by its account and number."""
        found = (Family.of(dict(row)) for row in self.rows(select(FAMILIES)))
        return {(one.account, one.number): one.seal for one in found}

    def row_seals(self) -> dict[str, str]:
        """The seal of every row of the registry by its place."""
        return sealed_rows(self._connection)

    def stray_answers(self) -> list[str]:
        """Keys of answers to which there is no paid query."""
        table = ANSWERS.outerjoin(RESERVATIONS, RESERVATIONS.c.key == ANSWERS.c.key)
        query = select(ANSWERS.c.key).select_from(table).where(RESERVATIONS.c.key.is_(None))
        return [str(row["key"]) for row in self.rows(query)]

    def entries(self) -> Iterator[Entry]:
        """All entries of the ledger in order, read in batches."""
        last = 0
        while True:
            query = select(ENTRIES).where(ENTRIES.c.seq > last).order_by(ENTRIES.c.seq)
            piece = [Entry(**row) for row in self.rows(query.limit(_CHUNK))]
            yield from piece
            if len(piece) < _CHUNK:
                return
            last = piece[-1].seq

    def head(self) -> tuple[int, str]:
        """Number and seal of the last entry."""
        (row,) = self.rows(select(HEAD.c.seq, HEAD.c.hash))
        return int(row["seq"]), str(row["hash"])

    def rows(self, query: Any) -> list[Any]:
        """The rows of a database query."""
        return list(self._connection.execute(query).mappings())
