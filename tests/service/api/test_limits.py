from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from microveil.service.api.app import create_app
from microveil.service.api.errors import ApiError
from microveil.service.api.limits import RateLimit
from microveil.service.settings import Settings
from tests.service.api.cases import QUERY, send
from tests.service.places import Place
from tests.service.servers import serving


def test_bodies_that_are_too_large_are_refused(client: httpx.Client, place: Place) -> None:
    assert send(client, place, b"x" * 70_000) == 413

    def dribble() -> Iterator[bytes]:
        for _ in range(80):
            yield b" " * 1000

    reply = client.post(QUERY, content=dribble(), headers=place.headers("ann"))
    assert reply.status_code == 413


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


def test_a_caller_may_burst_and_then_asks_at_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    limit = RateLimit(per_second=0.5, burst=2)
    limit.take("ann")
    limit.take("ann")
    limit.take("bob")
    with pytest.raises(ApiError) as refused:
        limit.take("ann")
    assert refused.value.status == 429
    assert refused.value.headers == {"Retry-After": "3"}
    now[0] += 2
    limit.take("ann")
