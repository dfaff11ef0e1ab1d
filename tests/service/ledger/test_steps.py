from __future__ import annotations

from fractions import Fraction

import pytest

from microveil.errors import InternalError
from microveil.service.ledger.audit import audit
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.refusals import OverBudgetError
from microveil.service.ledger.steps import (
    Commit,
    Granted,
    Pending,
    SetCaps,
    Stored,
)
from tests.service.ledger.cases import TENTH, ask, question, reserve, spent


def test_ten_tenths_are_exactly_one(funded: Ledger) -> None:
    for number in range(7):
        ask(funded, f"ann asks {number}")
    for number in range(3):
        ask(funded, f"bob asks {number}", "bob")
    assert spent(funded, "data:survey") == 1
    with pytest.raises(OverBudgetError, match="data set 'survey'"):
        funded.do(reserve(question("one more", "bob"), Fraction(1, 10**18)))


def test_an_analyst_has_a_cap_of_their_own(funded: Ledger) -> None:
    for number in range(7):
        ask(funded, f"ann asks {number}")
    with pytest.raises(OverBudgetError, match="analyst 'ann' on data set 'survey'"):
        funded.do(reserve(question("more")))
    assert spent(funded, "data:survey") == Fraction(7, 10)


def test_the_same_question_of_the_same_group_is_paid_once(funded: Ledger) -> None:
    first = ask(funded, "count")
    again = funded.do(reserve(question("count", "bob")))
    assert again == Stored(first)
    assert spent(funded, "data:survey") == TENTH
    other_group = funded.do(reserve(question("count", "bob", "finance")))
    assert isinstance(other_group, Granted)
    assert spent(funded, "data:survey") == 2 * TENTH


def test_who_asks_while_another_works_waits(funded: Ledger) -> None:
    asked = question("count")
    granted = funded.do(reserve(asked))
    assert isinstance(granted, Granted)
    assert isinstance(funded.do(reserve(asked)), Pending)
    funded.do(Commit(asked.key, granted.token, "5"))
    assert funded.do(reserve(asked)) == Stored("5")


def test_a_lost_reservation_stays_charged_and_is_taken_over_without_a_second_charge(
    funded: Ledger,
) -> None:
    asked = question("count")
    lost = funded.do(reserve(asked, lease=0))
    assert spent(funded, "data:survey") == TENTH
    taken = funded.do(reserve(asked))
    assert isinstance(taken, Granted)
    assert isinstance(lost, Granted)
    assert spent(funded, "data:survey") == TENTH
    # The first one wakes up late: its answer is not stored, so it is never sent.
    assert isinstance(funded.do(Commit(asked.key, lost.token, "other noise")), Pending)
    assert funded.do(Commit(asked.key, taken.token, "noise")) == Stored("noise")
    assert funded.do(Commit(asked.key, lost.token, "other noise")) == Stored("noise")
    assert funded.do(Commit(asked.key, taken.token, "third")) == Stored("noise")


def test_an_answer_nobody_paid_for_is_not_stored(funded: Ledger) -> None:
    with pytest.raises(InternalError, match="nobody had paid"):
        funded.do(Commit("0" * 64, "token", "5"))
    assert funded.paid_queries() == []


def test_a_cap_can_rise_and_fall_but_what_is_spent_stays(funded: Ledger) -> None:
    ask(funded, "count")
    funded.do(SetCaps("data:survey", {"epsilon": Fraction(1, 20)}))
    assert funded.balances("data:survey")["epsilon"].left == 0
    with pytest.raises(OverBudgetError, match="ε = 0 is left"):
        funded.do(reserve(question("more")))
    funded.do(SetCaps("data:survey", {"epsilon": Fraction(2)}))
    ask(funded, "more")
    assert spent(funded, "data:survey") == 2 * TENTH
    assert audit(funded).holds
