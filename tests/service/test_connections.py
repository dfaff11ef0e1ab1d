"""Nobody keeps the service waiting: neither by saying nothing, nor by stopping half-way."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from microveil.service.api.app import create_app
from microveil.service.running import Address, server_of
from microveil.service.settings import Settings
from tests.postgresql import free_port
from tests.service.places import Place

SECONDS = 0.5


@pytest.fixture
def port(place: Place) -> Iterator[int]:
    with running(place) as opened:
        yield opened


@contextlib.contextmanager
def running(place: Place) -> Iterator[int]:
    """The port of a service, which stops within seconds."""
    settings = Settings(body_seconds=SECONDS, stop_seconds=1.0)
    app = create_app(place.home.open(), place.home.secret(), settings)
    address = Address(port=free_port())
    server = server_of(app, address, settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.005)
    yield address.port
    server.should_exit = True
    started = time.monotonic()
    thread.join()
    assert time.monotonic() - started < 8


def head_of(place: Place | None, length: int) -> bytes:
    key = "" if place is None else f"authorization: Bearer {place.keys['ann']}\r\n"
    line = "POST /v1/data/survey/query HTTP/1.1\r\nhost: x\r\n"
    return f"{line}{key}content-type: application/json\r\ncontent-length: {length}\r\n\r\n".encode()


def reply_to(port: int, *sent: bytes, pause: float = 0.0) -> tuple[bytes, float]:
    """What comes back until the connection is closed, and after how many seconds."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as opened:
        started = time.monotonic()
        for piece in sent:
            opened.sendall(piece)
            time.sleep(pause)
        received = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := opened.recv(65536):
                received += piece
        return received, time.monotonic() - started


def test_connections_that_send_nothing_or_half_a_head_are_closed(port: int) -> None:
    for sent in ((), (b"GET /healthz HT",), (b"GET /healthz HTTP/1.1\r\nhost: x\r\n",)):
        received, seconds = reply_to(port, *sent)
        assert b"200" not in received
        assert seconds < 10


def test_many_half_open_connections_leave_nothing_open(port: int) -> None:
    crowd = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(100)]
    for one in crowd:
        one.sendall(b"POST /v1/data/survey/query HTTP/1.1\r\n")
    for one in crowd:
        with contextlib.suppress(ConnectionResetError):
            assert not one.recv(100)
        one.close()


def test_without_a_key_the_body_is_not_waited_for(port: int) -> None:
    received, seconds = reply_to(port, head_of(None, 5000) + b'{"query"')
    assert received.startswith(b"HTTP/1.1 401")
    assert seconds < 5


def test_a_body_that_stops_half_way_is_given_up(port: int, place: Place) -> None:
    received, _ = reply_to(port, head_of(place, 5000) + b'{"query"')
    assert received.startswith(b"HTTP/1.1 408")
    assert b"too_late" in received


def test_a_connection_serves_several_requests_and_is_not_closed_between(port: int) -> None:
    request = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
    last = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    received, _ = reply_to(port, request, request, last, pause=2 * SECONDS)
    assert received.count(b"HTTP/1.1 200") == 3


def test_half_a_second_request_is_given_up_too(port: int) -> None:
    request = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
    received, seconds = reply_to(port, request, b"GET /hea", pause=0.1)
    assert received.count(b"HTTP/1.1 200") == 1
    assert seconds < 10


def test_half_a_body_does_not_hold_up_the_end(place: Place) -> None:
    with contextlib.ExitStack() as held, running(place) as port:
        for who in (None, place, place):
            one = held.enter_context(socket.create_connection(("127.0.0.1", port)))
            one.sendall(head_of(who, 5000) + b"{")
        time.sleep(0.1)
