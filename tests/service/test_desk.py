"""The desk: priced, reserved, answered and stored, in this order; free where that is possible."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from microveil.errors import QueryError
from microveil.service import desk as desks
from microveil.service.desk import Asker, Desk, Limits
from microveil.service.ledger.audit import audit
from microveil.service.ledger.refusals import OverBudgetError
from microveil.service.questions import AskRequest
from microveil.service.registry import DataSet, Registry
from tests.service.places import Place

ANN, BOB, CLEO = Asker("ann", "health"), Asker("bob", "health"), Asker("cleo", "cleo")
COUNT: dict[str, Any] = {"query": {"query": "count"}, "spend": {"epsilon": "1"}}


@pytest.fixture
def desk(place: Place) -> Iterator[Desk]:
    with place.home.open() as ledger:
        opened = Desk(ledger, Limits(rows=5, workers=1))
        yield opened
        opened.close()


@pytest.fixture
def data(desk: Desk) -> DataSet:
    return Registry(desk.ledger).data_set("survey")


def ask(desk: Desk, data: DataSet, asker: Asker, **more: Any) -> desks.Reply:
    return asyncio.run(desk.ask(AskRequest.parse({**COUNT, **more}), data, asker))


def test_a_query_is_paid_once_by_its_group(desk: Desk, data: DataSet) -> None:
    first = ask(desk, data, ANN)
    assert (first.why, first.charged) == ("paid", {"epsilon": Fraction(1)})
    again = ask(desk, data, BOB)
    assert (again.why, again.answers, again.charged) == ("stored", first.answers, {})
    other = ask(desk, data, CLEO)
    assert other.why == "paid"
    assert desk.budget(data, ANN)["spent"] == {"epsilon": "1"}
    assert desk.budget(data, BOB)["spent"] == {"epsilon": "0"}
    assert desk.budget(data, ANN)["left"] == {"epsilon": "5"}
    assert audit(desk.ledger).holds


def test_a_price_costs_nothing_and_says_what_is_free(desk: Desk, data: DataSet) -> None:
    request = AskRequest.parse(COUNT)
    found = asyncio.run(desk.price(request, data, ANN))
    assert (found["charge"], found["free"], found["is_free"]) == ({"epsilon": "1"}, None, False)
    assert desk.budget(data, ANN)["spent"] == {"epsilon": "0"}
    ask(desk, data, ANN)
    assert asyncio.run(desk.price(request, data, ANN))["is_free"]


def test_only_what_was_paid_for_is_free(desk: Desk, data: DataSet) -> None:
    with pytest.raises(QueryError, match="cannot be answered from earlier paid answers"):
        ask(desk, data, ANN, free="only")
    ask(desk, data, ANN)
    assert ask(desk, data, ANN, free="only").why == "stored"


def test_a_dry_run_has_the_form_of_an_answer_and_no_price(desk: Desk, data: DataSet) -> None:
    (found,) = asyncio.run(desk.dry_run(AskRequest.parse(COUNT), data))
    assert found.keys() == ask(desk, data, ANN).answers[0].keys()
    assert desk.budget(data, ANN)["spent"] == {"epsilon": "1"}
    free = AskRequest.parse({"query": {"query": "count"}, "free": "only"})
    with pytest.raises(QueryError, match="`spend` or an `error`"):
        asyncio.run(desk.dry_run(free, data))


def test_nobody_spends_more_than_there_is(desk: Desk, data: DataSet) -> None:
    for who in (ANN, CLEO):
        ask(desk, data, who, spend={"epsilon": "5"}, free="never")
    with pytest.raises(OverBudgetError):
        ask(desk, data, ANN, spend={"epsilon": "2"}, free="never")
    # Her own budget has one left, but the data set's has nothing.
    assert desk.budget(data, ANN)["left"] == {"epsilon": "0"}


def test_data_that_cannot_be_read_cost_nothing(
    desk: Desk, data: DataSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise QueryError("no table")

    monkeypatch.setattr(desk.shelf, "table", broken)
    with pytest.raises(QueryError, match="no table"):
        ask(desk, data, ANN)
    assert desk.budget(data, ANN)["spent"] == {"epsilon": "0"}


def test_a_history_shows_each_what_was_paid(desk: Desk, data: DataSet) -> None:
    ask(desk, data, ANN)
    ask(desk, data, CLEO, query={"query": "count", "where": "age < 30"})
    mine = desk.history(data, "health", 10)
    assert [(one["analyst"], one["charged"]) for one in mine] == [("ann", {"epsilon": "1"})]
    every = desk.history(data, None, 10)
    assert [one["analyst"] for one in every] == ["cleo", "ann"]
    assert len(desk.history(data, None, 1)) == 1
    assert every[1]["answers"] is not None


def test_answers_are_written_without_infinities() -> None:
    text = desks._dump_answers([{"value": float("nan"), "interval": (float("-inf"), 1.5), "n": 2}])
    assert json.loads(text) == {"answers": [{"value": None, "interval": [None, 1.5], "n": 2}]}
