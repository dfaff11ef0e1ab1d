from __future__ import annotations

from fractions import Fraction

from microveil.service.ledger.ledger import Ledger
from tests.service.ledger.cases import ask


def test_balances_and_paid_queries_are_those_of_one_moment(funded: Ledger) -> None:
    ask(funded, "first")
    ask(funded, "second", "bob")
    ask(funded, "third", "bob", "other")
    with funded.view() as view:
        accounts = view.accounts()
        assert accounts["data:survey"]["epsilon"].spent == Fraction(3, 10)
        assert accounts["analyst:survey:bob"]["epsilon"].left == Fraction(5, 10)
        assert view.balances("nobody") == {}
        paid = view.paid_queries(data="survey", version="v1")
        assert [one.answer for one in paid] == [
            f"answer to {number}" for number in ("first", "second", "third")
        ]
        assert [one.reservation.analyst for one in view.paid_queries(group="health")] == [
            "ann",
            "bob",
        ]
        assert len(view.paid_queries(analyst="bob")) == 2
        assert [one.answer for one in view.paid_queries(most=1)] == ["answer to third"]
        answered = paid[1].reservation.answer_seq
        assert [one.answer for one in view.paid_queries(answered_after=answered)] == [
            "answer to third"
        ]
        assert view.paid_queries(data="census") == []


def test_entries_are_in_order_and_end_at_the_head(funded: Ledger) -> None:
    ask(funded, "first")
    with funded.view() as view:
        entries = list(view.entries())
        seq, seal = view.head()
    assert [one.seq for one in entries] == list(range(1, len(entries) + 1))
    assert (entries[-1].seq, entries[-1].hash) == (seq, seal)
