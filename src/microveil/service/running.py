"""Running the service: on this machine only, or on a network with TLS."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from microveil.errors import FileError, InputError
from microveil.progress import ending_as_planned
from microveil.service.connections import timed_protocol
from microveil.service.home import Home
from microveil.service.settings import Settings

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

KEEP_ALIVE = 75
"""Seconds; longer than clients keep an idle connection, so that none is closed while in use."""


@dataclass(frozen=True)
class Address:
    """Where the service listens."""

    host: str = "127.0.0.1"
    port: int = 8765
    certificate: Path | None = None
    private_key: Path | None = None
    plain_http: bool = False
    """Explicit consent to plain HTTP, because a reverse proxy provides TLS."""

    @property
    def url(self) -> str:
        """The address for clients."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{host}:{self.port}"

    def check(self) -> None:
        """Refuse to send keys and answers unencrypted over a network."""
        if (self.certificate is None) != (self.private_key is None):
            raise InputError("TLS needs both --tls-cert and --tls-key.")
        for path in (self.certificate, self.private_key):
            if path is not None and not path.is_file():
                raise FileError(f"There is no file {path}.")
        if not (self.certificate or self.plain_http or is_loopback(self.host)):
            raise InputError(
                f"On {self.host} keys and answers would cross the network unencrypted. Give "
                "--tls-cert and --tls-key, or --plain-http if a reverse proxy provides TLS."
            )


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(home: Home, address: Address, settings: Settings | None = None) -> None:
    """Answer queries until interrupted."""
    from microveil.service.api.app import create_app
    from microveil.service.api.logs import log, take_over_logging

    address.check()
    settings = settings or Settings()
    take_over_logging()
    app = create_app(home.open(), home.secret(), settings)
    server = server_of(app, address, settings)
    log("listening", url=address.url)
    with ending_as_planned():
        try:
            server.run()
        except SystemExit:
            if server.started:
                raise
            where = f"{address.host}, port {address.port}"
            raise InputError(f"The service cannot listen on {where}. Is the port in use?") from None
    log("stopped")


def server_of(app: FastAPI, address: Address, settings: Settings) -> uvicorn.Server:
    """The server of an app, with limits on how long anybody may keep it waiting."""
    import uvicorn

    config = uvicorn.Config(
        app,
        http=timed_protocol(settings.body_seconds),
        ws="none",
        timeout_graceful_shutdown=max(round(settings.stop_seconds), 1),
        host=address.host,
        port=address.port,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.private_key,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        h11_max_incomplete_event_size=64 * 1024,
    )
    return uvicorn.Server(config)
