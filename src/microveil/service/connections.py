"""Connections: closed when nobody sends a request over them."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar


class Timed(asyncio.Protocol):
    """What makes a connection close unless the whole head of a request arrives in time.

    Uvicorn limits how long a connection may be idle after a reply, but not how long the first
    request, or the rest of one that was begun, may take to arrive.
    """

    seconds: ClassVar[float]
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    cycle: Any
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start waiting for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on, unless a request is being answered."""
        super().data_received(data)
        if self._is_busy():
            self._stop_waiting()
        elif self._timer is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Leave an idle connection to its own limit."""
        self._stop_waiting()
        super().on_response_complete()  # type: ignore[misc]  # uvicorn's, see timed_protocol

    def _is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self) -> None:
        self._timer = self.loop.call_later(self.seconds, self._close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._timer = None
        if not self._is_busy() and not self.transport.is_closing():
            self.transport.abort()


def timed_protocol(seconds: float) -> type[asyncio.Protocol]:
    """Uvicorn's HTTP protocol, whichever of its two is installed, with such a limit."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    return type("TimedProtocol", (Timed, AutoHTTPProtocol), {"seconds": seconds})
