from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

from microveil.service.ledger.audit import audit
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.refusals import OverBudgetError
from microveil.service.ledger.steps import (
    SetCaps,
    Stored,
)
from tests.service.ledger.cases import TENTH, ask, question, reserve, spent


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


def test_everything_is_there_after_a_restart(url: str) -> None:
    with Ledger.open(url, create=True) as first:
        first.do(SetCaps("data:survey", {"epsilon": Fraction(1)}))
        first.do(SetCaps("analyst:survey:ann", {"epsilon": Fraction(1)}))
        ask(first, "count")
    with Ledger.open(url) as second:
        assert spent(second, "data:survey") == TENTH
        assert second.do(reserve(question("count"))) == Stored("answer to count")
        assert audit(second).holds
