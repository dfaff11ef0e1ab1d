"""`microveil verify`: is a file what its record says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from microveil.cli import options
from microveil.cli.output import show_verdict

RecordFile = Annotated[
    Path, typer.Argument(metavar="RECORD", help="Record of a run (--record).", show_default=False)
]
File = Annotated[
    Path, typer.Argument(metavar="FILE", help="The released file.", show_default=False)
]
PublicKey = Annotated[
    Path | None,
    typer.Option("--public-key", help="The record must be signed with this key (PEM)."),
]


def verify(
    record: RecordFile, file: File, public_key: PublicKey = None, as_json: options.AsJson = False
) -> None:
    """Check that a file is the one of a record, that its rules held, and the signature.

    Exit code 3 if not.

    Example: [bold]microveil verify record.json released.csv --public-key office.pub[/bold]
    """
    from microveil.registry.records.verifying import verify_record

    found = verify_record(record, file, public_key)
    show_verdict(found, as_json=as_json)
