"""`microveil outputs`: the check of everything that leaves a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from microveil.cli import options
from microveil.cli.output import console, error_object, print_grid, print_json
from microveil.errors import InputError, RequirementNotMetError

if TYPE_CHECKING:
    from microveil.registry.outputting import OutputsRegistration
    from microveil.registry.registering import RegistryTerms
    from microveil.tabulation.outputs.appetite import RiskAppetite
    from microveil.tabulation.outputs.checking import OutputsCheck

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
Note = Annotated[
    bool, typer.Option("--note", help="Note outputs that pass in the registry: they leave.")
]


@outputs.command()
def check(
    folder: Folder,
    appetite: Appetite = None,
    accepted: Accepted = None,
    registry: options.RegistryPlace = None,
    registry_key: options.RegistryKey = None,
    source: options.SourceName = None,
    audience: options.ForWhom = None,
    note: Note = False,
    as_json: options.AsJson = False,
) -> None:
    """Take all tables of a folder as one system, and name what can be derived from them.

    Exit code 0 if nothing fails, 3 if a cell is too small or can be derived, or differs by few from
    the same cell of an output that the registry has. With --note outputs that pass are noted there.

    Example: [bold]microveil outputs check results --appetite acro --accepted released[/bold]
    """
    from microveil.tabulation.outputs.appetite import RiskAppetite
    from microveil.tabulation.outputs.checking import check_outputs

    limits = RiskAppetite.read(appetite)
    found = check_outputs(folder, limits, accepted)
    failed = [one for one in found.findings if one.verdict == "fail"]
    terms = options.registry_terms(registry, registry_key, None, source, audience)
    if note and terms is None:
        raise InputError("--note needs a --registry.")
    earlier = None if terms is None else compare_outputs(terms, folder, found, limits)
    message = ""
    if earlier is not None and earlier.n_small:
        message = str(earlier.sentence())
    if failed:
        message = (
            f"{len(failed):,} cells fail, the first of them {failed[0].cell}, which "
            f"{failed[0].reason} ({', '.join(failed[0].tables)})."
        )
    if earlier is not None and note and not message:
        earlier.begin()
        earlier.finish()
    if as_json:
        told = {} if earlier is None else {"registered": tell_noted(earlier)}
        error = {"error": error_object(message, RequirementNotMetError.__name__)} if message else {}
        print_json(found.to_dict() | told | error)
    else:
        _show(found, earlier)
    if message:
        raise RequirementNotMetError(message)


def _show(found: OutputsCheck, earlier: OutputsRegistration | None) -> None:
    out = console()
    rows = [(one.cell, one.reason, ", ".join(one.tables)) for one in found.findings]
    if rows:
        print_grid(out, "Cells", ("cell", "what is wrong", "tables"), rows)
    for name in found.others:
        out.print(f"[yellow]![/yellow] {escape(name)} holds no table: look at it.")
    out.print(f"{len(found.tables):,} tables: {found.verdict}")
    if earlier is not None:
        out.print(str(earlier.sentence()), markup=False)
        if earlier.entry is not None:
            out.print(f"Registered as {earlier.entry.id}.", markup=False)


def compare_outputs(
    terms: RegistryTerms, folder: Path, found: OutputsCheck, limits: RiskAppetite
) -> OutputsRegistration:
    """The outputs of a folder beside those that left before."""
    from microveil.registry.outputting import OutputsRegistration
    from microveil.tabulation.outputs.verdicts import verdicts_by_output

    files = {
        str(one.relative_to(folder)): one.read_bytes()
        for one in sorted(folder.rglob("*"))
        if one.is_file() and not one.name.startswith((".", "_"))
    }
    records = [
        {"name": name, "verdict": verdict, "limits": limits.model_dump()}
        for name, verdict in verdicts_by_output(found).items()
    ]
    return OutputsRegistration.of(terms, folder.resolve().name, files, records, folder)


def tell_noted(noted: OutputsRegistration) -> dict[str, Any]:
    """What the registry says of outputs, as plain data."""
    entry = noted.entry
    return {
        "id": None if entry is None else entry.id,
        "n_small": noted.n_small,
        "sentence": str(noted.sentence()),
    }
