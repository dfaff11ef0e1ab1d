"""Guard: checks host, origin and cookie of every request, and adds security headers."""

from __future__ import annotations

from collections.abc import MutableMapping
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from microveil.web.access import COOKIE, Address
from microveil.web.policy import App, Receive, Scope, Send, policy, with_nonce
from microveil.web.sessions import Sessions

OPEN = ("/sign-in", "/static/", "/favicon.ico", "/_nicegui/")
"""Paths that need no session: the way in, and files that are the same for everybody."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # "no-referrer" would hide the origin of our own forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Checks every request before the app sees it, sockets included."""

    def __init__(self, app: App, sessions: Sessions, address: Address) -> None:
        self.app, self.sessions = app, sessions
        self.hosts = address.hosts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        refusal = self._refusal(scope, headers)
        if refusal:
            await _refuse(scope, send, *refusal)
            return
        await self.app(scope, receive, _with_headers(send, scope))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self.hosts is not None and _name(f"//{host}") not in self.hosts:
            return 400, "This address is not known here."
        if _is_foreign(scope, headers, host):
            return 403, "This request comes from another site."
        if not scope["path"].startswith(OPEN) and self.sessions.get(cookie_of(headers)) is None:
            return 401, ""
        if "/_nicegui_ws/" in scope["path"] and self.sessions.get(cookie_of(headers)) is None:
            return 401, ""
        return None


def _is_foreign(scope: Scope, headers: dict[str, str], host: str) -> bool:
    """Whether a request comes from another site, or a socket does not say where it comes from."""
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc != host
    if scope["type"] == "websocket":  # every browser names the origin of a socket
        return True
    site = headers.get("sec-fetch-site", "same-origin")
    return scope.get("method") not in ("GET", "HEAD") and site not in ("same-origin", "none")


def cookie_of(headers: dict[str, str]) -> str | None:
    """The session's secret in a request's cookies."""
    jar: SimpleCookie = SimpleCookie()
    jar.load(headers.get("cookie", ""))
    return jar[COOKIE].value if COOKIE in jar else None


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


async def _refuse(scope: Scope, send: Send, status: int, text: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if status == 401 and scope.get("method") == "GET":  # noqa: PLR2004  nobody is signed in
        status, headers = 303, [*headers, (b"location", b"/sign-in")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


def _with_headers(send: Send, scope: Scope) -> Send:
    secured = HEADERS | {"content-security-policy": policy(with_nonce(scope))}

    async def send_with_headers(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", ())}
            more = [
                (name.encode(), value.encode())
                for name, value in secured.items()
                if name.encode() not in given
            ]
            if not scope["path"].startswith(("/_nicegui/", "/static/")):
                more.append((b"cache-control", b"no-store"))
            message["headers"] = [*message.get("headers", ()), *more]
        await send(message)

    return send_with_headers
