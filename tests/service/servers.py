"""A service on a free port of this machine, in a thread of the test's own process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI

from microveil.service.api.app import create_app
from microveil.service.home import Home
from microveil.service.registering import register
from microveil.service.registry import Registry
from tests.postgresql import free_port


def start_example() -> tuple[str, str]:
    """Serve the example of the docs from this folder until the process ends: address and key."""
    home = Home(Path("docs-service"))
    data = register(home, Path("examples/patients.csv"), Path("examples/patients_owner.yaml"))
    with home.open() as ledger:
        made = Registry(ledger).create_key(home.secret(), "ann", "analyst", [data.name])
    server = uvicorn.Server(
        uvicorn.Config(create_app(home.open(), home.secret()), port=free_port(), log_config=None)
    )
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.005)
    return f"http://127.0.0.1:{server.config.port}", made[0]


@contextmanager
def serving(app: FastAPI) -> Iterator[httpx.Client]:
    """A client of the running app."""
    port = free_port()
    config = uvicorn.Config(
        app, port=port, log_config=None, access_log=False, lifespan="on", timeout_keep_alive=600
    )
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
