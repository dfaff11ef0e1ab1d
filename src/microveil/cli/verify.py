"""`microveil verify`: is a file what its record says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from microveil.cli import options
from microveil.cli.output import console, print_json
from microveil.errors import RequirementNotMetError

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
    from microveil.registry.verifying import verify_record

    found = verify_record(record, file, public_key)
    if as_json:
        print_json(found.to_dict())
    if not found.holds:
        raise RequirementNotMetError(found.sentence())
    if not as_json:
        console().print(found.sentence(), markup=False)
