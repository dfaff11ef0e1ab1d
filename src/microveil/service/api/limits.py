"""Limits on the rate of requests per key and on the size of a request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from microveil.service.api.errors import ApiError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_MOST_CALLERS = 10_000


class RateLimit:
    """A token bucket for each caller."""

    def __init__(self, per_second: float, burst: int) -> None:
        """Allow ``burst`` requests at once and ``per_second`` over time."""
        self._per_second, self._burst = per_second, float(burst)
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, caller: str) -> None:
        """Let a request pass, or refuse it."""
        now = time.monotonic()
        left, at = self._buckets.get(caller, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._per_second)
        if left < 1:
            wait = str(int((1 - left) / self._per_second) + 1)
            raise ApiError(429, "too_many", "Too many requests. Wait.", {"Retry-After": wait})
        if len(self._buckets) >= _MOST_CALLERS:
            self._buckets.clear()
        self._buckets[caller] = left - 1, now


class BodyLimit:
    """Refuses bodies that are too large, whatever their declared length, or that do not arrive."""

    def __init__(self, app: App, most: int, seconds: float) -> None:
        """Guard an app."""
        self._app, self._most, self._seconds = app, most, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body first; pass it on if it is small enough."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await asyncio.wait_for(self._body(scope, receive), self._seconds)
        except TimeoutError:
            late = f"The body did not arrive within {self._seconds:g} seconds."
            raise ApiError(408, "too_late", late) from None
        if body is None:
            raise ApiError(413, "too_large", f"A body may have at most {self._most:,} bytes.")
        sent = False

        async def replay() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, replay, send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body, or None if it is too large."""
        claimed = dict(scope["headers"]).get(b"content-length", b"0")
        if claimed.isdigit() and int(claimed) > self._most:
            return None
        body = bytearray()
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self._most:
                return None
            if message["type"] == "http.disconnect" or not message.get("more_body", False):
                return bytes(body)
