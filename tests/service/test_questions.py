from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from microveil.dp import Loss
from microveil.errors import QueryError, SpecError
from microveil.service.owner_file import OwnerFile
from microveil.service.questions import AskRequest, charge_amounts, read_question
from microveil.service.registry import DataSet
from tests.service.places import OWNER


def data(**budget: Any) -> DataSet:
    terms = {"service": {**OWNER["service"], "budget": budget, "analyst_budget": budget}}
    owner = OwnerFile.of({**OWNER, **(terms if budget else {})})
    return DataSet("survey", "s.csv", "f", owner.declaration, owner.terms, None, "open")


COUNT = {"query": "count", "by": ["region"]}


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"spend": {"epsilon": 1}}, "either `query` or `sql`"),
        ({"query": COUNT, "sql": "SELECT 1", "spend": {"epsilon": 1}}, "either `query` or `sql`"),
        ({"query": COUNT}, "a `spend` or an `error`"),
        ({"query": COUNT, "spend": {"epsilon": 1}, "error": 3}, "either `spend` or `error`"),
    ],
)
def test_a_request_says_one_thing_of_each_kind(request_: dict[str, Any], told: str) -> None:
    with pytest.raises(SpecError, match=told):
        AskRequest.parse(request_)


def test_several_queries_share_what_may_be_spent() -> None:
    sql = "SELECT COUNT(*), SUM(income) FROM survey"
    asked = read_question(AskRequest.parse({"sql": sql, "spend": {"epsilon": "0.3"}}), data(), 99)
    assert len(asked.queries) == 2
    assert [spend.epsilon for spend in asked.spends] == [Fraction(3, 20)] * 2
    assert asked.loss.epsilon <= Fraction(3, 10)
    again = read_question(AskRequest.parse({"sql": sql, "spend": {"epsilon": "0.3"}}), data(), 99)
    assert asked.text == again.text


def test_an_error_buys_what_reaches_it_and_free_answers_cost_nothing() -> None:
    coarse, fine = (
        read_question(AskRequest.parse({"query": COUNT, "error": error}), data(), 99).loss
        for error in (100, 10)
    )
    assert 0 < coarse.epsilon < fine.epsilon
    free = read_question(AskRequest.parse({"query": COUNT, "free": "only"}), data(), 99)
    assert free.offers == ()


def test_too_many_rows_and_the_wrong_currency_are_refused() -> None:
    with pytest.raises(QueryError, match="would have 2 rows; the limit is 1"):
        read_question(AskRequest.parse({"query": COUNT, "spend": {"epsilon": 1}}), data(), 1)
    with pytest.raises(QueryError, match="budget of this data set is in ε"):
        read_question(AskRequest.parse({"query": COUNT, "spend": {"rho": 1}}), data(), 99)


def test_pure_privacy_is_charged_as_concentrated_where_the_budget_is() -> None:
    loss = Loss.of(Fraction(1, 2))
    assert charge_amounts(loss, data()) == {"epsilon": Fraction(1, 2)}
    # ε-differential privacy is ε²/2-zCDP (Bun and Steinke 2016).
    assert charge_amounts(loss, data(rho=1)) == {"rho": Fraction(1, 8)}
