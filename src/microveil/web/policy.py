"""Policy: what a page may load and run, and the nonce that marks its own scripts and styles."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from secrets import token_urlsafe
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

NONCE = "microveil.nonce"
"""Where a request keeps its nonce."""
STAMPED = (b"<script", b"<style")
"""Tags that NiceGUI writes into its page and that need the nonce to run."""
HIDDEN = (b' style="display: none"', b" hidden")
"""The one style attribute of NiceGUI's page, which the policy forbids, and what does the same."""


def policy(nonce: str) -> str:
    """The content security policy of an answer.

    Nothing is loaded from, or sent to, another host. Scripts and styles run only from files of
    this server or with the nonce of this very answer; nothing is evaluated from text.
    """
    return (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}'; "
        f"style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def with_nonce(scope: Scope) -> str:
    """Give a request its nonce, new for every request."""
    nonce = token_urlsafe(18)
    scope[NONCE] = nonce
    return nonce


class Stamp:
    """Marks the inline scripts and styles of NiceGUI's page with the nonce of the request.

    Names and cells cannot smuggle a tag in: NiceGUI writes ``<`` in them as ``&lt;``.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; a page is collected, stamped and sent whole."""
        nonce = scope.get(NONCE)
        if scope["type"] != "http" or nonce is None:
            await self.app(scope, receive, send)
            return
        await self.app(scope, receive, _Stamping(send, nonce.encode()))


class _Stamping:
    """Sends an answer on; a page of HTML only once it is whole."""

    def __init__(self, send: Send, nonce: bytes) -> None:
        self.send, self.nonce = send, nonce
        self.start: MutableMapping[str, Any] | None = None
        self.body = b""

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self.start = message
        elif self.start is None or message["type"] != "http.response.body":
            await self.send(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self.start)

    async def _finish(self, start: MutableMapping[str, Any]) -> None:
        page = stamp(self.body, self.nonce)
        headers = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
        size = (b"content-length", str(len(page)).encode())
        await self.send({**start, "headers": [*headers, size]})
        await self.send({"type": "http.response.body", "body": page})


def stamp(page: bytes, nonce: bytes) -> bytes:
    """A page with the nonce in its script and style tags.

    >>> stamp(b"<script src=a></script>", b"n")
    b'<script nonce="n" src=a></script>'
    """
    for tag in STAMPED:
        page = page.replace(tag, tag + b' nonce="' + nonce + b'"')
    return page.replace(*HIDDEN)


def _is_page(message: MutableMapping[str, Any]) -> bool:
    headers = {name.lower(): value for name, value in message.get("headers", ())}
    plain = b"content-encoding" not in headers
    return plain and headers.get(b"content-type", b"").startswith(b"text/html")
