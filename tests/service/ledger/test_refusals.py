from __future__ import annotations

from fractions import Fraction

import pytest

from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.refusals import OverBudgetError
from microveil.service.ledger.steps import (
    Reserve,
)
from tests.service.ledger.cases import TENTH, question, reserve, spent


def test_a_refused_question_leaves_no_trace(funded: Ledger) -> None:
    with pytest.raises(OverBudgetError):
        funded.do(reserve(question("dear"), Fraction(8, 10)))
    assert spent(funded, "data:survey") == spent(funded, "analyst:survey:ann") == 0
    assert funded.paid_queries() == []


def test_an_account_without_a_cap_pays_nothing(funded: Ledger) -> None:
    with pytest.raises(OverBudgetError, match="analyst 'eve'"):
        funded.do(reserve(question("who", "eve")))
    asked = question("delta")
    with pytest.raises(OverBudgetError, match="δ"):
        funded.do(Reserve(asked, {"data:survey": {"epsilon": TENTH, "delta": Fraction(1, 10**9)}}))
