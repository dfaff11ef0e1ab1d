from __future__ import annotations

from fractions import Fraction

import pytest

import microveil as mv
from microveil import dp
from microveil.dp.prepared import prepare
from tests.dp.sessions import FRAME
from tests.dp.tables import declared


def test_a_budget_is_spent_to_the_last_bit_and_not_beyond() -> None:
    session = dp.Session(FRAME, declared(), budget=1)
    for number in range(10):
        session.ask(dp.Count(where=f"age > {number}"), 0.1)
    assert session.left == dp.Loss()
    assert session.spent == dp.Loss(epsilon=1)
    with pytest.raises(mv.BudgetError, match="nothing is left"):
        session.ask(dp.Count(where="age > 50"), dp.Loss(epsilon="1e-9"))
    assert len(session.history) == 10


def test_the_same_question_gets_the_same_answer_for_free() -> None:
    session = dp.Session(FRAME, declared(), budget=1)
    first = session.ask(dp.Count(where="age > 40 AND smokes"), "1/2")
    again = session.ask(dp.Count(where="smokes and 40 < age"), "1/2")
    assert again is first
    assert session.ask(dp.Count(where="smokes AND age > 40"), "1/4") is first
    assert session.spent == dp.Loss(epsilon="1/2")


def test_more_precision_is_paid_for() -> None:
    session = dp.Session(FRAME, declared(), budget=2)
    first = session.ask(dp.Count(), 0.5)
    second = session.ask(dp.Count(), 1)
    assert second is not first
    assert session.spent == dp.Loss(epsilon="3/2")


def test_a_budget_in_rho_counts_pure_answers_as_half_their_square() -> None:
    session = dp.Session(FRAME, declared(), budget=dp.Loss(rho=1))
    session.ask(dp.Count(), dp.Loss(rho="1/4"))
    session.ask(dp.Count(where="smokes"), dp.Loss(epsilon=1))
    assert session.spent == dp.Loss(rho="3/4")
    assert session.ask(dp.Count(where="age > 3"), error=50).loss.rho > 0


def test_tight_accounting_affords_far_more_questions() -> None:
    budget = dp.Loss(epsilon=1, delta="1e-6")
    spend = dp.Loss(rho="1/20000")
    session = dp.Session(prepare(FRAME, declared()), budget=budget, accounting="tight")
    for number in range(60):
        session.ask(dp.Count(where=f"income > {number}"), spend)
    assert session.spent.epsilon < Fraction(31, 100)  # added up, they would cost 60 × 0.05
    assert session.epsilon("1e-6") == pytest.approx(float(session.spent.epsilon), rel=1e-3)
    with pytest.raises(mv.BudgetError, match="all answers together"):
        session.ask(dp.Count(), dp.Loss(rho=1))
    with pytest.raises(mv.InputError, match="an ε with a δ"):
        dp.Session(FRAME, declared(), budget=1, accounting="tight")


def test_sql_splits_its_spend_over_its_questions() -> None:
    session = dp.Session(FRAME, declared(), budget=1)
    count, mean = session.sql("SELECT COUNT(*), AVG(age) FROM survey", spend=0.5)
    assert count.loss == mean.loss == dp.Loss(epsilon="1/4")
    assert "2 answers" in repr(session)
