"""Running the app: on this machine alone, or elsewhere with a password and TLS."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace

from microveil.errors import InputError, system_reason
from microveil.progress import ending_as_planned
from microveil.web.access import Address, Gate
from microveil.web.project.registries import RegistryPlace


def serve(
    address: Address,
    *,
    password: str | None = None,
    open_browser: bool = True,
    largest_upload: int | None = None,
    databases: bool = False,
    registry: RegistryPlace | None = None,
    tell: Callable[[str], None] = print,
) -> None:
    """Run the app until interrupted; ``tell`` gets the address that lets a browser in."""
    import logging

    from microveil.web.logs import quiet
    from microveil.web.server import Server, create_app

    address.check(password)
    listening = _listening(address)
    address = replace(address, port=listening.getsockname()[1])
    server = Server(address, Gate(password), databases=databases, registry=registry)
    if largest_upload is not None:
        server.largest_upload = largest_upload
    app = create_app(server)
    import uvicorn  # after the app, whose extra brings it: a missing package names that extra

    quiet(logging.getLogger("uvicorn.error"))
    config = uvicorn.Config(
        app,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.private_key,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=16 * 1024**2,
        timeout_graceful_shutdown=3,
    )
    invitation = server.invitation()
    tell(invitation)
    if open_browser:
        threading.Timer(1.0, webbrowser.open, [invitation]).start()
    with ending_as_planned():
        uvicorn.Server(config).run(sockets=[listening])


def _listening(address: Address) -> socket.socket:
    """The socket to listen on; port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address.host, address.port))
        listening.listen()  # whoever is quick waits, and is not turned away
    except OSError as error:
        listening.close()
        raise InputError(
            "Cannot listen on {host}, port {port} ({reason}). Choose another --port.",
            host=address.host,
            port=address.port,
            reason=system_reason(error),
        ) from None
    return listening
