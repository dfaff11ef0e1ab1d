"""`microveil fit`: learns a recipe's parameters from one table, for use on others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from microveil.cli import options
from microveil.cli.output import console, print_json, progress_bar

RecipeFile = Annotated[
    Path, typer.Argument(metavar="RECIPE", help="YAML or JSON recipe.", show_default=False)
]
State = Annotated[
    Path,
    typer.Option("--state", help="Where the fitted recipe goes (YAML).", show_default=False),
]


@options.takes_reading_options
def fit(
    recipe: RecipeFile,
    data: options.DataSource,
    state: State,
    seed: options.Seed = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Learn limits, categories, levels and classes from a table; write a recipe for new tables.

    Only what the table's release would show is kept. [bold]microveil run[/bold] applies the
    fitted recipe, and checks its requirements on every new table.

    Example: [bold]microveil fit recipe.yaml january.csv --state fitted.yaml[/bold]
    """
    from microveil import app
    from microveil.app.fitting.use_case import write_fitted
    from microveil.recipes import Recipe

    with progress_bar() as progress:
        plan = Recipe.read(recipe)
        frame = options.read_data(data, reading, plan)
        fitted = app.fit(plan, frame, seed=seed, progress=progress)
    write_fitted(fitted, state)
    steps = [step.kind() for step in fitted.steps]
    if as_json:
        print_json({"state": str(state), "n_records": frame.height, "steps": steps})
        return
    out = console()
    out.print(f"Learnt from {frame.height:,} records; steps: {', '.join(steps)}.", markup=False)
    out.print(f"Written: {state}. Apply it with `microveil run {state} DATA --out OUT`.")
