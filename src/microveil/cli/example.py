"""`microveil example`: write the data and recipe of a bundled example."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Example(StrEnum):
    """The examples that ship with the package."""

    ad_views = "ad_views"


Name = Annotated[Example, typer.Argument(help="Which example.", show_default=False)]
Out = Annotated[
    Path,
    typer.Option("--out", help="Where the data go: .csv, .xlsx, .parquet …", show_default=False),
]
Rows = Annotated[int | None, typer.Option("--rows", min=1, help="How many rows.")]
ExampleSeed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, other data.")]
RecipeOut = Annotated[Path | None, typer.Option("--recipe", help="Write its recipe here too.")]


def example(
    name: Name, out: Out, rows: Rows = None, seed: ExampleSeed = 2022, recipe: RecipeOut = None
) -> None:
    """Write the artificial data of an example, and its recipe on request.

    Example: [bold]microveil example ad_views --out views.xlsx --recipe views.yaml[/bold]
    """
    from microveil.files import write
    from microveil.studies import ad_views, ad_views_recipe
    from microveil.studies.ad_views import N_VIEWS

    frame = ad_views(rows or N_VIEWS, seed=seed)
    write(frame, out, keep_order=True)
    typer.echo(f"{name}: {frame.height:,} rows written to {out}", err=True)
    if recipe is not None:
        ad_views_recipe().write(recipe)
        typer.echo(f"recipe written to {recipe}", err=True)
