"""`microveil compare`: risk and utility of a release beside its original."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from microveil.cli import options
from microveil.cli.output import console, print_grid, print_json
from microveil.errors import InputError

Original = Annotated[str, typer.Argument(metavar="ORIGINAL", show_default=False)]
Released = Annotated[str, typer.Argument(metavar="RELEASED", show_default=False)]
RecipeFile = Annotated[
    Path | None, typer.Option("--recipe", help="Take the roles from this recipe.")
]
Shuffled = Annotated[
    bool,
    typer.Option("--shuffled", help="The release is in another row order: pair no rows."),
]


def compare(
    original: Original,
    released: Released,
    recipe: RecipeFile = None,
    quasi: options.QuasiIdentifiers = None,
    sensitive: options.Sensitive = None,
    shuffled: Shuffled = False,
    as_json: options.AsJson = False,
) -> None:
    """Measure risk and utility of a release against its original.

    Example: [bold]microveil compare patients.csv released.csv -q age,sex -s disease[/bold]
    """
    from microveil import app
    from microveil.recipes import Recipe

    if recipe is not None and quasi:
        raise InputError("Give the roles by --recipe or by -q and -s, not by both.")
    roles = Recipe.read(recipe).roles if recipe else options.roles_of(quasi, sensitive)
    comparison = app.compare(
        options.read_data(original),
        options.read_data(released),
        roles,
        aligned=False if shuffled else None,
    )
    if as_json:
        print_json(comparison.to_dict())
        return
    out = console()
    out.print(f"k before {comparison.before.k:,}, after {comparison.after.k:,}")
    for title, scores in (("Risk", comparison.risk), ("Utility", comparison.utility)):
        rows = [(s.measure, s.value, s.scale, f"{s.better} is better") for s in scores.values()]
        print_grid(out, title, ("measure", "value", "scale", ""), rows)
    for name, reason in comparison.skipped.items():
        out.print(f"Not measured: {name} ({reason}).")
