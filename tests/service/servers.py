"""A service on a free port of this machine, in a thread of the test's own process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import uvicorn
from fastapi import FastAPI

from tests.postgresql import free_port


@contextmanager
def serving(app: FastAPI) -> Iterator[httpx.Client]:
    """A client of the running app."""
    port = free_port()
    config = uvicorn.Config(app, port=port, log_config=None, access_log=False, lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.005)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()
