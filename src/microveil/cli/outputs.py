"""`microveil outputs`: the check of everything that leaves a project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from microveil.cli import options
from microveil.cli.output import console, error_object, print_grid, print_json
from microveil.errors import RequirementNotMetError

outputs = typer.Typer(help="Check what leaves a project.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of outputs.")]
Appetite = Annotated[
    str | None,
    typer.Option("--appetite", help="File of limits, or acro, opensafely, eurostat."),
]
Accepted = Annotated[
    Path | None,
    typer.Option("--accepted", help="Folder of outputs that were accepted before."),
]


@outputs.command()
def check(
    folder: Folder,
    appetite: Appetite = None,
    accepted: Accepted = None,
    as_json: options.AsJson = False,
) -> None:
    """Take all tables of a folder as one system, and name what can be derived from them.

    Exit code 0 if nothing fails, 3 if a cell is too small or can be derived.

    Example: [bold]microveil outputs check results --appetite acro --accepted released[/bold]
    """
    from microveil.tabulation.outputs.appetite import RiskAppetite
    from microveil.tabulation.outputs.checking import check_outputs

    found = check_outputs(folder, RiskAppetite.read(appetite), accepted)
    failed = [one for one in found.findings if one.verdict == "fail"]
    message = ""
    if failed:
        message = (
            f"{len(failed):,} cells fail, the first of them {failed[0].cell}, which "
            f"{failed[0].reason} ({', '.join(failed[0].tables)})."
        )
    if as_json:
        error = {"error": error_object(message, RequirementNotMetError.__name__)} if failed else {}
        print_json(found.to_dict() | error)
    else:
        out = console()
        rows = [(one.cell, one.reason, ", ".join(one.tables)) for one in found.findings]
        if rows:
            print_grid(out, "Cells", ("cell", "what is wrong", "tables"), rows)
        for name in found.others:
            out.print(f"[yellow]![/yellow] {escape(name)} holds no table: look at it.")
        out.print(f"{len(found.tables):,} tables: {found.verdict}")
    if failed:
        raise RequirementNotMetError(message)
