"""What breaks other services: floods, monsters, injections, and errors that talk too much."""

from __future__ import annotations

import json

import httpx
import pytest

from microveil.service.api.app import create_app
from microveil.service.settings import Settings
from tests.service.api.cases import QUERY, send
from tests.service.places import Place
from tests.service.servers import serving

REFUSED = [
    "SELECT COUNT(*) FROM survey; DROP TABLE api_keys",
    "SELECT COUNT(*) FROM survey WHERE age = 1 OR 1 = 1",
    "SELECT COUNT(*) FROM survey UNION SELECT hash FROM api_keys",
    "SELECT hash FROM api_keys",
    "SELECT COUNT(*) FROM read_csv('/etc/passwd')",
    "SELECT COUNT(*) FROM survey WHERE income > (SELECT AVG(income) FROM survey)",
    "SELECT MAX(income) FROM survey",
    "DELETE FROM survey",
    "COPY survey TO 'x'",
    "SELECT COUNT(*) FROM survey WHERE __import__('os').system('true')",
    "",
    "SELECT COUNT(*) FROM survey WHERE " + "(" * 5000 + "age > 1" + ")" * 5000,
    "SELECT COUNT(*) FROM survey WHERE " + "NOT " * 4000 + "age > 1",
    " OR ".join(["SELECT COUNT(*) FROM survey WHERE age = 1", *["age = 2"] * 1500]),
    "SELECT COUNT(*) FROM (" * 1000 + "survey" + ")" * 1000,
]


def test_sql_beyond_the_subset_is_refused(client: httpx.Client, place: Place) -> None:
    for sql in REFUSED:
        body = json.dumps({"sql": sql, "spend": {"epsilon": "1/10"}}).encode()
        assert send(client, place, body) == 422, sql[:80]
    budget = client.get("/v1/data/survey/budget", headers=place.headers("ann")).json()
    assert budget["spent"] == {"epsilon": "0"}


def test_a_question_that_takes_too_long_is_stored_and_free_later(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    from microveil.dp import answer
    from microveil.service import desk

    def slowly(*arguments: object, **named: object) -> object:
        time.sleep(1.0)
        return answer(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(desk, "answer", slowly)
    settings = Settings(seconds=0.5)
    app = create_app(place.home.open(), place.home.secret(), settings)
    body = {"query": {"query": "count"}, "spend": {"epsilon": "1"}}
    with serving(app) as client:
        head = place.headers("ann")
        client.post("/v1/data/survey/price", json=body, headers=head)
        assert client.post(QUERY, json=body, headers=head).status_code == 504
        time.sleep(1.5)
        again = client.post(QUERY, json=body, headers=head)
        assert again.status_code == 200
        assert again.json()["charged"] == {}
        budget = client.get("/v1/data/survey/budget", headers=head).json()
        assert budget["spent"] == {"epsilon": "1"}
