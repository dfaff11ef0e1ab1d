"""What the guard lets through, asked over ASGI without a browser."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest

from microveil.web.access import COOKIE, Address
from microveil.web.guard import Guard
from microveil.web.jobs import Workers
from microveil.web.sessions import Sessions
from tests.web.loops import in_own_loop

Message = MutableMapping[str, Any]


async def _inside(scope: Message, _receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


@pytest.fixture
def sessions() -> Iterator[Sessions]:
    found = Sessions(Workers())
    yield found
    found.close()


def _asked(
    sessions: Sessions, path: str = "/data", *, method: str = "GET", kind: str = "http",
    **headers: str,
) -> list[Message]:  # fmt: skip
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    told = {"host": "127.0.0.1:8080"} | {k.replace("_", "-"): v for k, v in headers.items()}
    scope = {
        "type": kind, "path": path, "method": method,
        "headers": [(k.encode(), v.encode()) for k, v in told.items()],
    }  # fmt: skip
    in_own_loop(Guard(_inside, sessions, Address())(scope, receive, send))
    return sent


def _cookie(sessions: Sessions) -> str:
    return f"{COOKIE}={sessions.new().id}"


def test_without_a_session_a_page_leads_to_the_sign_in(sessions: Sessions) -> None:
    first = _asked(sessions)[0]
    assert first["status"] == 303
    assert (b"location", b"/sign-in") in first["headers"]


def test_an_invented_session_is_none(sessions: Sessions) -> None:
    assert _asked(sessions, method="PUT", cookie=f"{COOKIE}=guessed")[0]["status"] == 401


def test_a_session_is_let_in_and_the_answer_carries_the_headers(sessions: Sessions) -> None:
    first = _asked(sessions, cookie=_cookie(sessions))[0]
    headers = dict(first["headers"])
    assert first["status"] == 200
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"cache-control"] == b"no-store"


def test_another_name_for_this_machine_is_refused(sessions: Sessions) -> None:
    """A page elsewhere that points its own name here (DNS rebinding) gets nothing."""
    asked = _asked(sessions, cookie=_cookie(sessions), host="evil.example:8080")
    assert asked[0]["status"] == 400


def test_a_request_from_another_site_is_refused(sessions: Sessions) -> None:
    cookie = _cookie(sessions)
    asked = _asked(sessions, "/upload", method="PUT", cookie=cookie, origin="http://evil.example")
    assert asked[0]["status"] == 403
    asked = _asked(sessions, "/upload", method="PUT", cookie=cookie, sec_fetch_site="cross-site")
    assert asked[0]["status"] == 403
    asked = _asked(sessions, "/sign-out", method="POST", cookie=cookie, origin="null")
    assert asked[0]["status"] == 403


def test_a_socket_needs_the_cookie_and_this_origin(sessions: Sessions) -> None:
    path, cookie = "/_nicegui_ws/socket.io/", _cookie(sessions)
    good = _asked(sessions, path, kind="websocket", cookie=cookie, origin="http://127.0.0.1:8080")
    assert good[0]["type"] == "websocket.accept"
    other = _asked(sessions, path, kind="websocket", cookie=cookie, origin="http://127.0.0.1:9")
    assert other[0]["type"] == "websocket.close"
    nobody = _asked(sessions, path, kind="websocket", origin="http://127.0.0.1:8080")
    assert nobody[0]["type"] == "websocket.close"


def test_a_socket_that_hides_its_origin_is_refused(sessions: Sessions) -> None:
    asked = _asked(sessions, "/_nicegui_ws/x", kind="websocket", cookie=_cookie(sessions))
    assert asked[0]["type"] == "websocket.close"
