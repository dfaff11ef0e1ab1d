from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
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
    Question,
    Reserve,
    SetCaps,
    Stored,
)

TENTH = Fraction(1, 10)


def question(text: str, analyst: str = "ann", group: str = "health") -> Question:
    return Question("survey", "v1", analyst, group, text)


def reserve(asked: Question, price: Fraction = TENTH, lease: int = 30_000) -> Reserve:
    accounts = ("data:survey", f"analyst:survey:{asked.analyst}")
    return Reserve(asked, {account: {"epsilon": price} for account in accounts}, lease)


@pytest.fixture
def funded(ledger: Ledger) -> Ledger:
    ledger.do(SetCaps("data:survey", {"epsilon": Fraction(1)}))
    for analyst in ("ann", "bob"):
        ledger.do(SetCaps(f"analyst:survey:{analyst}", {"epsilon": Fraction(7, 10)}))
    return ledger


def spent(ledger: Ledger, account: str) -> Fraction:
    return ledger.balances(account)["epsilon"].spent


def ask(ledger: Ledger, text: str, analyst: str = "ann", group: str = "health") -> str:
    asked = question(text, analyst, group)
    granted = ledger.do(reserve(asked))
    assert isinstance(granted, Granted)
    stored = ledger.do(Commit(asked.key, granted.token, f"answer to {text}"))
    assert isinstance(stored, Stored)
    return stored.body


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


def test_a_refused_question_leaves_no_trace(funded: Ledger) -> None:
    with pytest.raises(OverBudgetError):
        funded.do(reserve(question("dear"), Fraction(8, 10)))
    assert spent(funded, "data:survey") == spent(funded, "analyst:survey:ann") == 0
    assert funded.paid() == []


def test_an_account_without_a_cap_pays_nothing(funded: Ledger) -> None:
    with pytest.raises(OverBudgetError, match="analyst 'eve'"):
        funded.do(reserve(question("who", "eve")))
    asked = question("delta")
    with pytest.raises(OverBudgetError, match="δ"):
        funded.do(Reserve(asked, {"data:survey": {"epsilon": TENTH, "delta": Fraction(1, 10**9)}}))


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
    assert funded.paid() == []


def test_many_threads_spend_exactly_the_budget(funded: Ledger) -> None:
    def attempt(number: int) -> bool:
        try:
            ask(funded, f"question {number}", ("ann", "bob")[number % 2])
        except OverBudgetError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        granted = sum(pool.map(attempt, range(60)))
    assert granted == 10
    assert spent(funded, "data:survey") == 1
    assert audit(funded).holds


def test_two_ledgers_on_one_database_share_the_budget(funded: Ledger, url: str) -> None:
    def attempt(work: tuple[Ledger, int]) -> bool:
        try:
            ask(work[0], f"question {work[1]}", ("ann", "bob")[work[1] % 2])
        except OverBudgetError:
            return False
        return True

    with Ledger.open(url) as second, ThreadPoolExecutor(8) as pool:
        work = [(one, number) for number, one in enumerate([funded, second] * 10)]
        assert sum(pool.map(attempt, work)) == 10
    assert spent(funded, "data:survey") == 1
    assert audit(funded).holds


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


def test_everything_is_there_after_a_restart(url: str) -> None:
    with Ledger.open(url, create=True) as first:
        first.do(SetCaps("data:survey", {"epsilon": Fraction(1)}))
        first.do(SetCaps("analyst:survey:ann", {"epsilon": Fraction(1)}))
        ask(first, "count")
    with Ledger.open(url) as second:
        assert spent(second, "data:survey") == TENTH
        assert second.do(reserve(question("count"))) == Stored("answer to count")
        assert audit(second).holds
