from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tests.service.places import N_ROWS, Place

COUNT = {"query": {"query": "count"}, "spend": {"epsilon": "1"}}


def ask(
    client: httpx.Client, place: Place, who: str, body: dict[str, Any], what: str = "query"
) -> dict[str, Any]:
    reply = client.post(f"/v1/data/survey/{what}", json=body, headers=place.headers(who))
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def spent(client: httpx.Client, place: Place, who: str) -> str:
    reply = client.get("/v1/data/survey/budget", headers=place.headers(who))
    return str(reply.json()["spent"]["epsilon"])


def test_the_schema_shows_what_is_declared_and_nothing_else(
    client: httpx.Client, place: Place
) -> None:
    found = client.get("/v1/data/survey", headers=place.headers("ann")).json()
    assert list(found["declaration"]["columns"]) == ["age", "region", "sex", "income"]
    assert found["unit"] == "one row"
    assert found["is_open"]
    assert "service" not in found["declaration"]
    assert client.get("/v1/data", headers=place.headers("cleo")).json() == {
        "data": ["census", "survey"]
    }


def test_a_price_and_a_dry_run_cost_nothing(client: httpx.Client, place: Place) -> None:
    offer = ask(client, place, "ann", COUNT, "price")
    assert offer["charge"] == {"epsilon": "1"}
    assert offer["offers"][0]["error"] == 3
    assert not offer["is_free"]
    tried = ask(client, place, "ann", COUNT, "dry-run")
    assert tried["why"] == "dry run"
    assert abs(tried["answers"][0]["rows"][0]["value"] - 1000) < 100
    assert spent(client, place, "ann") == "0"


def test_an_answer_is_charged_and_stored(client: httpx.Client, place: Place) -> None:
    found = ask(client, place, "ann", COUNT)
    assert found["why"] == "paid"
    assert found["charged"] == {"epsilon": "1"}
    assert abs(found["answers"][0]["rows"][0]["value"] - N_ROWS) < 50
    assert spent(client, place, "ann") == "1"
    reply = client.get("/v1/data/survey/history", headers=place.headers("bob"))
    (question,) = reply.json()["questions"]
    assert question["answers"] == found["answers"]
    assert question["charged"] == {"epsilon": "1"}


def test_the_same_question_is_free_for_the_group_and_not_for_others(
    client: httpx.Client, place: Place
) -> None:
    first = ask(client, place, "ann", COUNT)
    again = ask(client, place, "bob", COUNT)
    assert again["why"] == "stored"
    assert again["answers"] == first["answers"]
    assert spent(client, place, "bob") == "0"
    assert ask(client, place, "cleo", COUNT)["why"] == "paid"
    never = ask(client, place, "bob", {**COUNT, "free": "never"})
    assert never["answers"] == first["answers"]
    assert never["charged"] == {}


def test_sql_asks_several_things_for_one_price(client: httpx.Client, place: Place) -> None:
    sql = "SELECT region, COUNT(*), AVG(income) FROM survey WHERE age >= 30 GROUP BY region"
    found = ask(client, place, "ann", {"sql": sql, "spend": {"epsilon": "1"}})
    assert found["charged"] == {"epsilon": "1"}
    assert [one["query"]["query"] for one in found["answers"]] == ["count", "mean"]
    assert [row["region"] for row in found["answers"][0]["rows"]] == ["north", "south"]


def test_a_wanted_error_finds_its_price(client: httpx.Client, place: Place) -> None:
    found = ask(client, place, "ann", {"query": {"query": "count"}, "error": 10})
    row = found["answers"][0]["rows"][0]
    assert row["high"] - row["low"] <= 20
    assert float(spent(client, place, "ann").partition("/")[0]) > 0


def test_the_analysts_cap_and_the_shared_cap_both_hold(client: httpx.Client, place: Place) -> None:
    for number in range(6):
        body = {"query": {"query": "count", "where": f"age > {number}"}, "spend": {"epsilon": 1}}
        ask(client, place, "ann", {**body, "free": "never"})
    over = client.post("/v1/data/survey/query", json=_dear(1), headers=place.headers("ann"))
    assert over.status_code == 402
    assert over.json()["error"]["kind"] == "over_budget"
    assert "analyst 'ann'" in over.json()["error"]["message"]
    ask(client, place, "bob", _dear(4))
    shared = client.post("/v1/data/survey/query", json=_dear(1), headers=place.headers("cleo"))
    assert shared.status_code == 402
    assert "data set 'survey'" in shared.json()["error"]["message"]
    left = client.get("/v1/data/survey/budget", headers=place.headers("cleo")).json()["left"]
    assert left == {"epsilon": "0"}


def _dear(epsilon: int) -> dict[str, Any]:
    return {"query": {"query": "sum", "column": "income"}, "spend": {"epsilon": epsilon}}


def test_a_budget_in_epsilon_is_not_spent_in_rho(client: httpx.Client, place: Place) -> None:
    body = {"query": {"query": "count"}, "spend": {"rho": "0.1"}}
    reply = client.post("/v1/data/survey/query", json=body, headers=place.headers("ann"))
    assert reply.status_code == 422
    assert "in ε" in reply.json()["error"]["message"]


@pytest.mark.parametrize("what", ["price", "dry-run", "query"])
def test_what_cannot_be_asked_is_refused_with_the_reason(
    client: httpx.Client, place: Place, what: str
) -> None:
    for body, reason in (
        ({"query": {"query": "count", "where": "agee > 3"}, "spend": {"epsilon": 1}}, "'agee'"),
        ({"query": {"query": "sum", "column": "region"}, "spend": {"epsilon": 1}}, "text"),
        ({"query": {"query": "median of"}, "spend": {"epsilon": 1}}, "query"),
        ({"sql": "SELECT * FROM survey", "spend": {"epsilon": 1}}, "rows"),
        ({"query": {"query": "count"}}, "spend"),
        ({**COUNT, "sql": "SELECT COUNT(*) FROM survey"}, "either"),
        ({**COUNT, "error": 5}, "either"),
        ({**COUNT, "confidence": 1.5}, "confidence"),
        ({"query": {"query": "count"}, "spend": {"epsilon": -1}}, "epsilon"),
        ({"query": {"query": "count"}, "spend": {"epsilon": "1e999999999"}}, "epsilon"),
        ({**COUNT, "unknown": 1}, "unknown"),
    ):
        reply = client.post(f"/v1/data/survey/{what}", json=body, headers=place.headers("ann"))
        assert reply.status_code == 422, (body, reply.text)
        assert reason in reply.json()["error"]["message"], (body, reply.text)
    assert spent(client, place, "ann") == "0"


def test_answers_that_are_too_large_are_refused_before_they_cost(
    app: FastAPI, client: httpx.Client, place: Place
) -> None:
    wide = {"query": "count", "by": ["age", "region", "sex"], "where": "income > 1"}
    body = {"query": {**wide}, "spend": {"epsilon": 1}}
    assert len(ask(client, place, "ann", body)["answers"][0]["rows"]) == 111 * 4
    object.__setattr__(app.state.microveil.desk.limits, "rows", 100)
    body = {"query": {**wide, "where": "income > 2"}, "spend": {"epsilon": 1}}
    reply = client.post("/v1/data/survey/query", json=body, headers=place.headers("ann"))
    assert reply.status_code == 422
    assert "444 rows; the limit is 100" in reply.json()["error"]["message"]
