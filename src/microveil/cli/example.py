"""`microveil example`: write artificial data, and the recipe that goes with them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from microveil.cli.output import console, print_grid
from microveil.errors import InputError, did_you_mean, listing

Name = Annotated[
    str | None, typer.Argument(help="Which example; without it, list them.", show_default=False)
]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Where the data go: .csv, .xlsx, .parquet …", show_default=False),
]
Rows = Annotated[int | None, typer.Option("--rows", min=1, help="How many rows.")]
ExampleSeed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, other data.")]
RecipeOut = Annotated[
    Path | None, typer.Option("--recipe", help="Write its recipe here too, if it has one.")
]


def example(
    name: Name = None,
    out: Out = None,
    rows: Rows = None,
    seed: ExampleSeed = 2022,
    recipe: RecipeOut = None,
) -> None:
    """Write the artificial data of an example, and its recipe on request.

    Examples: microveil example · microveil example households --rows 20000 --out survey.csv
    """
    from microveil.files import write
    from microveil.studies import ad_views_recipe
    from microveil.studies.examples import EXAMPLES

    if name is None:
        shown = [(key, one.title, f"{one.rows:,}") for key, one in EXAMPLES.items()]
        print_grid(console(), "Examples", ("name", "what it is", "rows"), shown)
        return
    if name not in EXAMPLES:
        known = listing(EXAMPLES, most=20)
        raise InputError(f"No example '{name}'.{did_you_mean(name, EXAMPLES)} There are: {known}.")
    if out is None:
        raise InputError("Say where the data go: --out FILE.")
    if recipe is not None and name != "ad_views":
        raise InputError(f"Example '{name}' has no recipe of its own. Leave out --recipe.")
    chosen = EXAMPLES[name]
    frame = chosen.draw(rows or chosen.rows, seed)
    write(frame, out, keep_order=True)
    typer.echo(f"{name}: {frame.height:,} rows written to {out}", err=True)
    if recipe is not None:
        ad_views_recipe().write(recipe)
        typer.echo(f"recipe written to {recipe}", err=True)
