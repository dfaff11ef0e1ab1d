"""`microveil compare`: risk and utility of a release beside its original."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from microveil.cli import options
from microveil.cli.output import console, print_json, progress_bar
from microveil.cli.risk import show_left_out, show_scores, show_verdicts
from microveil.errors import InputError

if TYPE_CHECKING:
    from microveil.app import Comparison

Original = Annotated[str, typer.Argument(metavar="ORIGINAL", show_default=False)]
Released = Annotated[str, typer.Argument(metavar="RELEASED", show_default=False)]
RecipeFile = Annotated[
    Path | None,
    typer.Option(
        "--recipe",
        help="The recipe that made the release: its roles, and what its steps mean for risk.",
    ),
]
Shuffled = Annotated[
    bool,
    typer.Option("--shuffled", help="The release is in another row order: pair no rows."),
]
Control = Annotated[
    str | None,
    typer.Option(
        "--control",
        metavar="DATA",
        help="Records of the same kind that the release never saw, to compare attacks with.",
    ),
]


def compare(
    original: Original,
    released: Released,
    recipe: RecipeFile = None,
    quasi: options.QuasiIdentifiers = None,
    sensitive: options.Sensitive = None,
    shuffled: Shuffled = False,
    measures: options.Measures = "default",
    control: Control = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure risk and utility of a release against its original.

    Example: [bold]microveil compare patients.csv released.csv -q age,sex -s disease[/bold]
    """
    from microveil import app
    from microveil.recipes import Recipe

    if recipe is not None and (quasi or sensitive):
        raise InputError("Give the roles by --recipe or by -q and -s, not by both.")
    made_by = Recipe.read(recipe) if recipe else None
    with progress_bar() as progress:
        comparison = app.compare(
            options.read_data(original),
            options.read_data(released),
            made_by.roles if made_by else options.roles_of(quasi, sensitive),
            aligned=False if shuffled else None,
            measures=options.measures_of(measures),
            control=options.read_data(control) if control else None,
            recipe=made_by,
            progress=progress,
        )
    if as_json:
        print_json(comparison.to_dict())
        return
    show_comparison(comparison)


def show_comparison(comparison: Comparison) -> None:
    """Print a comparison for people: measures of risk and utility, verdicts, what was left out."""
    out = console()
    out.print(f"k before {comparison.before.k:,}, after {comparison.after.k:,}")
    for title, scores in (("Risk", comparison.risk), ("Utility", comparison.utility)):
        show_scores(title, scores)
    show_verdicts(comparison.verdicts)
    for note in comparison.notes:
        out.print(note, markup=False)
    show_left_out({**comparison.invalid, **comparison.skipped})
