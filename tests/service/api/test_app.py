"""The service: who is let in, what every reply carries, and what nobody gets to see."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI

import microveil
from microveil.errors import FileError
from microveil.service.desk import Desk
from tests.service.places import Place
from tests.service.servers import serving


def test_health_needs_no_key_and_metrics_need_an_owners(client: httpx.Client, place: Place) -> None:
    health = client.get("/healthz")
    assert (health.status_code, health.json()) == (200, {"status": "ok"})
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers=place.headers("ann")).status_code == 403
    told = client.get("/metrics", headers=place.headers("owner"))
    assert told.status_code == 200
    assert 'microveil_requests_total{route="/healthz",status="200"} 1' in told.text


def test_every_reply_has_a_number_and_is_not_stored(client: httpx.Client) -> None:
    replies = [client.get(path) for path in ("/healthz", "/healthz", "/v1/data", "/nowhere")]
    assert [reply.status_code for reply in replies] == [200, 200, 401, 404]
    assert len({reply.headers["x-request-id"] for reply in replies}) == 4
    assert {reply.headers["cache-control"] for reply in replies} == {"no-store"}


def test_an_unexpected_error_says_nothing_of_itself(
    client: httpx.Client, app: FastAPI, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("cell SECRET")

    monkeypatch.setattr(app.state.microveil.desk, "budget", broken)
    reply = client.get("/v1/data/survey/budget", headers=place.headers("ann"))
    assert reply.status_code == 500
    assert "SECRET" not in reply.text


def test_no_page_fetches_from_elsewhere(client: httpx.Client, app: FastAPI) -> None:
    assert client.get("/docs").status_code == client.get("/redoc").status_code == 404
    described = client.get("/openapi.json").json()
    assert described["info"]["version"] == app.version == microveil.__version__


def test_data_that_cannot_be_loaded_do_not_stop_the_service(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[str] = []

    def warm_up(_: Desk, data: object) -> None:
        tried.append(data.name)  # type: ignore[attr-defined]
        raise FileError("not there")

    monkeypatch.setattr(Desk, "warm_up", warm_up)
    with serving(app) as client:
        assert client.get("/healthz").status_code == 200
    assert sorted(tried) == ["census", "survey"]
    assert "not loaded" in capsys.readouterr().err
