"""The server's own routes: who is let in, what may be sent, and what may be fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from microveil.web import server as module
from microveil.web.access import COOKIE, Gate
from microveil.web.server import PATHS, Server, language_of
from tests.web.loops import in_own_loop


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server(gate=Gate(password="long enough for this"))
    yield found
    found.close()


class Browser:
    """Asks the app itself, and keeps its cookies."""

    def __init__(self, app: FastAPI, url: str) -> None:
        transport = httpx.ASGITransport(app)
        self.client = httpx.AsyncClient(transport=transport, base_url=url)
        self.cookies = self.client.cookies

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self._asked("GET", path, more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self._asked("POST", path, more)

    def put(self, path: str, **more: Any) -> httpx.Response:
        return self._asked("PUT", path, more)

    def _asked(self, method: str, path: str, more: dict[str, Any]) -> httpx.Response:
        found: httpx.Response = in_own_loop(self.client.request(method, path, **more))
        return found


@pytest.fixture
def browser(server: Server) -> Browser:
    """A browser at the routes beside the pages, which only one app of a process can have."""
    app = FastAPI()
    module._sign_in(app, server)
    module._files(app, server)
    return Browser(app, server.address.url)


def test_an_invitation_lets_one_browser_in_once(server: Server, browser: Browser) -> None:
    address = server.invitation()
    first = browser.get(address)
    assert first.status_code == 200
    assert "url=/data" in first.text
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    browser.cookies.clear()
    assert browser.get(address).status_code == 401
    assert len(server.sessions) == 1


def test_a_password_lets_in_and_a_wrong_one_does_not(
    server: Server, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(_: float) -> None:
        """No pause in tests."""

    monkeypatch.setattr("microveil.web.server.asyncio.sleep", at_once)
    wrong = browser.post("/sign-in", data={"password": "guessed"})
    assert wrong.status_code == 401
    assert "guessed" not in wrong.text
    right = browser.post("/sign-in", data={"password": "long enough for this"})
    assert (right.status_code, right.headers["location"]) == (303, "/data")
    assert server.session_of(None) is None
    browser.post("/sign-out")
    assert len(server.sessions) == 0


def test_the_form_speaks_the_browsers_language(browser: Browser) -> None:
    spanish = browser.get("/sign-in", headers={"accept-language": "fr, es-ES;q=0.8"}).text
    assert re.search(r'lang="?es', spanish)
    assert "{{" not in spanish


@pytest.mark.parametrize(
    ("told", "spoken"),
    [("", "en"), ("de-DE,es;q=0.5", "es"), ("fr", "en"), ("ES", "es"), ("en;q=1,es", "en")],
)
def test_the_first_language_that_the_app_speaks(told: str, spoken: str) -> None:
    request = Request({"type": "http", "headers": [(b"accept-language", told.encode())]})
    assert language_of(request) == spoken


def signed_in(server: Server, browser: Browser) -> str:
    session = server.sessions.new()
    browser.cookies.set(COOKIE, session.id)
    return session.id


def test_another_language_is_for_this_session_and_leads_to_a_page(
    server: Server, browser: Browser
) -> None:
    secret = signed_in(server, browser)
    asked = browser.post("/language", data={"language": "es", "page": "risk"})
    assert asked.headers["location"] == "/risk"
    away = browser.post("/language", data={"language": "xx", "page": "//evil.example"})
    assert away.headers["location"] == "/data"
    session = server.sessions.get(secret)
    assert session is not None
    assert session.language == "es"
    assert "risk" in PATHS


def test_only_what_was_offered_can_be_fetched(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    secret = signed_in(server, browser)
    session = server.sessions.get(secret)
    assert session is not None
    path = tmp_path / "made.csv"
    path.write_text("a\n1\n", encoding="utf-8")
    address = session.offer(path, "released.csv")
    found = browser.get(address)
    assert found.text == "a\n1\n"
    assert 'filename="released.csv"' in found.headers["content-disposition"]
    assert browser.get("/download/guessed").status_code == 404
    path.unlink()
    assert browser.get(address).status_code == 404
    browser.cookies.clear()
    assert browser.get(address).status_code == 404


def test_an_upload_needs_a_session_and_the_apps_own_header(
    server: Server, browser: Browser
) -> None:
    header = {"x-microveil": "upload", "x-file-name": "people.xyz"}
    assert browser.put("/upload", content=b"x", headers=header).status_code == 403
    secret = signed_in(server, browser)
    assert browser.put("/upload", content=b"x").status_code == 403
    refused = browser.put("/upload", content=b"x", headers=header)
    assert refused.status_code == 400
    session = server.sessions.get(secret)
    assert session is not None
    assert session.notice is not None
    assert session.notice.text == refused.text


def test_who_comes_when_all_places_are_taken_is_told_so(server: Server, browser: Browser) -> None:
    for _ in range(server.sessions.most):
        server.sessions.new()
    token = server.invitation()
    for answer in (
        browser.get(token),
        browser.post("/sign-in", data={"password": "long enough for this"}),
    ):
        assert answer.status_code == 503
        assert "Too many people" in answer.text
    server.sessions.end(next(iter(server.sessions._sessions)))
    # The invitation was not used up by the refusal.
    assert browser.get(token).status_code == 200


def test_the_token_is_named_to_no_other_page(server: Server, browser: Browser) -> None:
    answer = browser.get(server.invitation().replace("/sign-in?", "/sign-in/?"))
    assert answer.status_code == 200
    assert answer.headers["referrer-policy"] == "no-referrer"
