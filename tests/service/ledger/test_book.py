"""A book holds what a batch needs, and writes only what changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from microveil.service.ledger.book import Balance, Book, Reservation
from microveil.service.ledger.families import Family
from microveil.service.ledger.ledger import Ledger

HALF = Fraction(1, 2)
PAID = Reservation(
    key="k1",
    data="survey",
    version="v1",
    analyst="ann",
    asker_group="health",
    question="count",
    charges={"data:survey": {"epsilon": HALF}},
    token="t1",
    lease_until=5,
    seq=1,
    at="now",
)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with (
        Ledger.open(f"sqlite:///{tmp_path}/ledger.db", create=True) as ledger,
        ledger.database.writing() as opened,
    ):
        yield opened


def opened(connection: Connection) -> Book:
    book = Book(connection, "2026-01-01T00:00:00", 1)
    book.load(["data:survey", "analyst:survey:ann"], ["k1", "k2"], [("data:survey", 1)])
    return book


def test_nothing_is_left_below_what_was_spent() -> None:
    assert Balance(Fraction(1), Fraction(1, 4)).left == Fraction(3, 4)
    assert Balance(Fraction(1, 8), Fraction(1, 4)).left == 0


def test_a_reservation_survives_its_row() -> None:
    row = PAID.row()
    assert all(value is None or isinstance(value, str | int) for value in row.values())
    assert Reservation.of(row) == PAID


def test_what_a_batch_changed_is_there_for_the_next(connection: Connection) -> None:
    book = opened(connection)
    assert (book.accounts, book.reservations, book.answers, book.families) == ({}, {}, {}, {})
    book.set_caps("data:survey", {"epsilon": Fraction(2)})
    assert book.append("caps", {"account": "data:survey"}) == 1
    book.spend("data:survey", {"epsilon": HALF, "delta": Fraction(0)})
    book.reserve(PAID)
    book.join(Family("data:survey", 1, "v1", members=(), changed=1))
    book.save()

    again = opened(connection)
    assert again.accounts == {"data:survey": {"epsilon": Balance(Fraction(2), HALF)}}
    assert again.reservations == {"k1": PAID}
    assert again.append("more", {}) == 2
    again.answer("k1", "seven")
    again.reserve(replace(PAID, token="t2", answer_seq=2))
    again.set_caps("data:survey", {"epsilon": Fraction(3)})
    again.save()

    last = opened(connection)
    assert last.answers == {"k1": "seven"}
    assert (last.reservations["k1"].token, last.reservations["k1"].answer_seq) == ("t2", 2)
    assert last.accounts["data:survey"]["epsilon"] == Balance(Fraction(3), HALF)
    assert list(last.families) == [("data:survey", 1)]
    n_rows = connection.execute(text("SELECT count(*) FROM balances")).scalar()
    assert n_rows == 1


def test_without_an_entry_nothing_is_written(connection: Connection) -> None:
    book = opened(connection)
    book.set_caps("data:survey", {"epsilon": Fraction(2)})
    book.save()
    assert opened(connection).accounts == {}


def test_a_reservation_made_and_changed_in_one_batch_is_one_row(connection: Connection) -> None:
    book = opened(connection)
    book.append("reserved", {})
    book.reserve(PAID)
    book.reserve(replace(PAID, answer_seq=1))
    book.save()
    assert opened(connection).reservations["k1"].answer_seq == 1


def test_a_family_that_no_entry_has_sealed_is_not_trusted(connection: Connection) -> None:
    family = Family("data:survey", 1, "v1", members=(), changed=1)
    book = opened(connection)
    seals = {"data:survey": [1, family.seal]}
    book.append("reserve", {"families": seals})
    book.join(family)
    assert book.is_sealed(family)
    book.save()
    again = opened(connection)
    assert again.is_sealed(again.families["data:survey", 1])
    connection.execute(text("UPDATE families SET version = 'v2'"))
    last = opened(connection)
    assert not last.is_sealed(last.families["data:survey", 1])
    assert not last.is_sealed(Family("data:survey", 7, "v1", members=(), changed=7))
