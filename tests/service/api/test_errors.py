from __future__ import annotations

import httpx
import pytest

from tests.service.api.cases import QUERY, send
from tests.service.places import Place

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
