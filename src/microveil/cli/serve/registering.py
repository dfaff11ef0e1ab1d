"""`microveil serve add`: register a table for queries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from microveil.cli.options import AsJson
from microveil.cli.output import console, print_json
from microveil.cli.serve.options import DEFAULT_HOME, Folder, LedgerUrl, home_of

Source = Annotated[
    Path, typer.Argument(metavar="DATA", help="The private table.", show_default=False)
]
OwnerPath = Annotated[
    Path,
    typer.Option(
        "--owner-file", help="YAML: columns, bounds, keys, and `service:` with the budgets."
    ),
]
Replace = Annotated[
    bool,
    typer.Option("--replace", help="New data or terms for a name; spent budget stays spent."),
]


def add(
    data: Source,
    owner_file: OwnerPath,
    replace: Replace = False,
    home: Folder = DEFAULT_HOME,
    ledger: LedgerUrl = None,
    as_json: AsJson = False,
) -> None:
    """Register a table, with what may be queried and how much may be spent.

    Example: microveil serve add survey.parquet --owner-file survey.yaml
    """
    place = home_of(home, ledger)
    from microveil.service.registering import register

    added = register(place, data, owner_file, replace=replace)
    if as_json:
        print_json({"name": added.name, "budget": added.terms.budget.to_dict()})
        return
    out = console()
    out.print(f"Registered '{added.name}': budget {added.terms.budget}.", markup=False)
    out.print(f"Each analyst may spend {added.terms.analyst_budget}.", markup=False)
    out.print(f"Next: microveil serve key ANALYST --data {added.name}", markup=False)
