"""`microveil serve` alone starts the service; its subcommands are for the owner."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from microveil.cli.serve.budgets import budget, close, data
from microveil.cli.serve.keys import key, keys, revoke
from microveil.cli.serve.options import DEFAULT_HOME, Folder, LedgerUrl, home_of
from microveil.cli.serve.registering import add
from microveil.cli.serve.verifying import audit, upgrade

serve = typer.Typer(
    help="Answer queries with differential privacy: the query service and its owner's commands.",
    invoke_without_command=True,
)
for _command in (add, data, key, keys, revoke, budget, close, audit, upgrade):
    serve.command()(_command)

Certificate = Annotated[
    Path | None, typer.Option("--tls-cert", help="Certificate for TLS (PEM).", show_default=False)
]
PrivateKey = Annotated[
    Path | None, typer.Option("--tls-key", help="Its private key (PEM).", show_default=False)
]
PlainHttp = Annotated[
    bool,
    typer.Option("--plain-http", help="Listen elsewhere without TLS: a proxy provides it."),
]
Rate = Annotated[float, typer.Option("--rate", min=0.1, help="Requests per second per key.")]
Seconds = Annotated[float, typer.Option("--seconds", min=0.1, help="Time limit per query.")]


@serve.callback()
def start(
    context: typer.Context,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8765,
    tls_cert: Certificate = None,
    tls_key: PrivateKey = None,
    plain_http: PlainHttp = False,
    rate: Rate = 50.0,
    seconds: Seconds = 30.0,
    home: Folder = DEFAULT_HOME,
    ledger: LedgerUrl = None,
) -> None:
    """Start the query service, on this machine only unless --host is given.

    Examples: microveil serve add survey.parquet --owner-file survey.yaml · microveil serve key ann
    --data survey · microveil serve
    """
    if context.invoked_subcommand is not None:
        return
    place = home_of(home, ledger)
    from microveil.service.running import Address, serve
    from microveil.service.settings import Settings

    address = Address(host, port, tls_cert, tls_key, plain_http)
    burst = max(int(4 * rate), 1)
    serve(place, address, Settings(requests_per_second=rate, burst=burst, seconds=seconds))
