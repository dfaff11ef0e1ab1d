"""`microveil app`: the browser app."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from microveil.cli import options
from microveil.errors import FileError, InputError
from microveil.extras import say_packages

Certificate = Annotated[
    Path | None, typer.Option("--tls-cert", help="Certificate for TLS (PEM).", show_default=False)
]
PrivateKey = Annotated[
    Path | None, typer.Option("--tls-key", help="Its private key (PEM).", show_default=False)
]
PlainHttp = Annotated[
    bool,
    typer.Option("--plain-http", help="Listen elsewhere without TLS: a proxy in front speaks it."),
]
PasswordFile = Annotated[
    Path | None,
    typer.Option(
        "--password-file",
        help="File with the password; else MICROVEIL_APP_PASSWORD has it.",
        show_default=False,
    ),
]
Name = Annotated[
    list[str] | None,
    typer.Option("--name", help="A further name browsers reach it by.", show_default=False),
]
Databases = Annotated[
    bool,
    typer.Option(
        "--databases", help="Let others read PostgreSQL servers that this machine reaches."
    ),
]
Megabytes = Annotated[int, typer.Option("--max-upload", min=1, help="Largest file, in MB.")]


def app(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any.")] = 8080,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
    password_file: PasswordFile = None,
    tls_cert: Certificate = None,
    tls_key: PrivateKey = None,
    plain_http: PlainHttp = False,
    name: Name = None,
    max_upload: Megabytes = 2048,
    databases: Databases = False,
    registry: options.RegistryPlace = None,
    registry_key: options.RegistryKey = None,
) -> None:
    """Open the browser app: from a file to a verified release, without programming.

    It listens only on this machine unless --host is given, which needs a password and TLS.
    The address it prints admits one browser, once.
    """
    if missing := say_packages("The browser app", "web", ("nicegui", "altair", "vl_convert")):
        raise InputError(missing)
    from microveil.web.access import Address
    from microveil.web.project.registries import RegistryPlace
    from microveil.web.running import serve

    names = tuple(name or ())
    address = Address(host, port, tls_cert, tls_key, plain_http, names)
    serve(
        address,
        password=_password(password_file),
        open_browser=browser,
        largest_upload=max_upload * 1024**2,
        databases=databases,
        registry=None if registry is None else RegistryPlace(registry, str(registry_key or "")),
        tell=lambda url: typer.echo(f"Open this address in your browser: {url}"),
    )


def _password(path: Path | None) -> str | None:
    """The password from a file or the environment; others can see a command line."""
    if path is None:
        return os.environ.get("MICROVEIL_APP_PASSWORD") or None
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise FileError(f"{path}: cannot read the password ({error.strerror}).") from None
