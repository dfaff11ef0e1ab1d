from __future__ import annotations

from fractions import Fraction

import pytest

from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import Commit, Granted, Question, Reserve, SetCaps


@pytest.fixture
def used(ledger: Ledger) -> Ledger:
    ledger.do(SetCaps("data:survey", {"epsilon": Fraction(1)}))
    for number in range(4):
        asked = Question("survey", "v1", "ann", "health", f"question {number}")
        granted = ledger.do(Reserve(asked, {"data:survey": {"epsilon": Fraction(1, 10)}}))
        assert isinstance(granted, Granted)
        if number:
            ledger.do(Commit(asked.key, granted.token, f"answer {number}"))
    return ledger


@pytest.fixture
def funded(ledger: Ledger) -> Ledger:
    ledger.do(SetCaps("data:survey", {"epsilon": Fraction(1)}))
    for analyst in ("ann", "bob"):
        ledger.do(SetCaps(f"analyst:survey:{analyst}", {"epsilon": Fraction(7, 10)}))
    return ledger
