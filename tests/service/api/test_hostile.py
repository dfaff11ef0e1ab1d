"""What breaks other services: floods, monsters, injections, and errors that talk too much."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from microveil.service.api.app import create_app
from microveil.service.settings import Settings
from tests.service.places import Place, make_place
from tests.service.servers import serving

QUERY = "/v1/data/survey/query"


def send(client: httpx.Client, place: Place, body: bytes, kind: str = "application/json") -> int:
    head = {**place.headers("ann"), "Content-Type": kind}
    reply = client.post(QUERY, content=body, headers=head)
    assert "Traceback" not in reply.text
    assert set(reply.json()) == {"error"}
    return reply.status_code


def test_bodies_that_are_too_large_are_refused(client: httpx.Client, place: Place) -> None:
    assert send(client, place, b"x" * 70_000) == 413

    def dribble() -> Iterator[bytes]:
        for _ in range(80):
            yield b" " * 1000

    reply = client.post(QUERY, content=dribble(), headers=place.headers("ann"))
    assert reply.status_code == 413


MALFORMED = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"text"',
    b"\xff\xfe",
    b'{"sql": 5}',
    b'{"query": []}',
    b'{"query": {"query": {"query": "count"}}}',
    b'{"sql": "SELECT COUNT(*) FROM survey", "spend": {"epsilon": NaN}}',
    b'{"sql": "SELECT COUNT(*) FROM survey", "spend": {"epsilon": Infinity}}',
    b'{"sql": "SELECT COUNT(*) FROM survey", "spend": {"epsilon": [1]}}',
    b'{"sql": "SELECT COUNT(*) FROM survey", "error": 1e400}',
    b"[" * 30_000,
    b'{"a":' * 10_000,
]


def test_malformed_bodies_are_refused(client: httpx.Client, place: Place) -> None:
    for body in MALFORMED:
        assert send(client, place, body) == 422, body[:50]


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


def test_a_fault_tells_nothing(
    client: httpx.Client,
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a cell: Ada Lovelace")

    monkeypatch.setattr("microveil.service.desk.answer", broken)
    body = {"query": {"query": "count"}, "spend": {"epsilon": "1"}}
    reply = client.post(QUERY, json=body, headers=place.headers("ann"))
    assert reply.status_code == 500
    assert reply.json()["error"]["kind"] == "internal"
    shown = reply.text + capsys.readouterr().err
    assert "Lovelace" not in shown
    assert "ZeroDivisionError" in shown


def test_logs_are_json_without_questions(
    client: httpx.Client, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    where = "region = 'a name that must not be logged'"
    body = {"query": {"query": "count", "where": where}, "spend": {"epsilon": "1"}}
    client.post(QUERY, json=body, headers=place.headers("ann"))
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (line,) = [line for line in lines if line["event"] == "request"]
    assert line["route"] == "/v1/data/{name}/query"
    assert line["status"] == 200
    assert line["key"] == place.keys["ann"].split("_")[1]
    assert "must not be logged" not in json.dumps(lines)
    assert place.keys["ann"] not in json.dumps(lines)


def test_a_key_that_asks_too_often_must_wait(place: Place) -> None:
    settings = Settings(requests_per_second=0.001, burst=3)
    app = create_app(place.home.open(), place.home.secret(), settings)
    with serving(app) as client:
        head = place.headers("ann")
        statuses = [client.get("/v1/data", headers=head).status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert client.get("/v1/data", headers=place.headers("bob")).status_code == 200
        waiting = client.get("/v1/data", headers=head)
        assert int(waiting.headers["retry-after"]) > 0
        wrong = [client.get("/v1/data").status_code for _ in range(5)]
        assert wrong == [401, 401, 401, 429, 429]


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


def test_data_that_changed_on_disk_are_not_asked_and_cost_nothing(tmp_path: Path) -> None:
    place = make_place(tmp_path, f"sqlite:///{tmp_path}/ledger.db")
    path = tmp_path / "survey.parquet"
    path.write_bytes(path.read_bytes() + b" ")
    head, body = place.headers("ann"), {"query": {"query": "count"}, "spend": {"epsilon": "1"}}
    with serving(create_app(place.home.open(), place.home.secret())) as client:
        reply = client.post(QUERY, json=body, headers=head)
        assert reply.status_code == 503
        assert "not the one that was registered" in reply.json()["error"]["message"]
        budget = client.get("/v1/data/survey/budget", headers=head).json()
    assert budget["spent"] == {"epsilon": "0"}
