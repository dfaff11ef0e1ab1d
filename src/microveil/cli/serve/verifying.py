"""`microveil serve audit`, `upgrade`: verify the ledger, and update its tables."""

from __future__ import annotations

from typing import Annotated

import typer

from microveil.cli.options import AsJson
from microveil.cli.output import console, print_json
from microveil.cli.serve.options import DEFAULT_HOME, Folder, LedgerUrl, home_of

Expected = Annotated[
    str | None,
    typer.Option(
        "--expect",
        help="Seal of an earlier audit that it must still contain.",
        show_default=False,
    ),
]


def audit(
    expect: Expected = None,
    home: Folder = DEFAULT_HOME,
    ledger: LedgerUrl = None,
    as_json: AsJson = False,
) -> None:
    """Verify the ledger: every entry, balance, query and answer. Exit code 3 if it is not intact.

    Note the seal that it prints somewhere else, and pass it to the next audit.
    """
    place = home_of(home, ledger)
    from microveil.service.ledger.audit import audit as verify
    from microveil.service.ledger.audit import summary

    with place.open() as opened:
        found = verify(opened, expect)
    if as_json:
        print_json(found.to_dict())
    else:
        console().print(summary(found), markup=False, soft_wrap=True)
    if not found.holds:
        raise typer.Exit(3)


def upgrade(home: Folder = DEFAULT_HOME, ledger: LedgerUrl = None) -> None:
    """Update the tables of a ledger; make a copy of it first."""
    place = home_of(home, ledger)
    from microveil.service.ledger.database import Database
    from microveil.service.ledger.database import upgrade as bring_up

    database = Database(place.url)
    try:
        bring_up(database)
    finally:
        database.close()
    console().print("The ledger is up to date.", markup=False)
