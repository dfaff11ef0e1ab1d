"""`microveil check`: whether a recipe is valid, and fits the data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from microveil.cli import options
from microveil.cli.linked_tables import check_linked_file, is_linked_file
from microveil.cli.output import console, error_object, print_json
from microveil.errors import InputError

RecipeFile = Annotated[Path, typer.Argument(metavar="RECIPE", help="Recipe file, YAML or JSON.")]
OptionalData = Annotated[
    str | None,
    typer.Argument(metavar="[DATA]", help="Data the recipe should fit.", show_default=False),
]


@options.takes_reading_options
def check(
    recipe: RecipeFile,
    data: OptionalData = None,
    expect: options.Expect = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Check a recipe without running it: its fields, and with DATA its columns and hierarchies.

    Exit code 0 if it fits, 2 if it does not; all problems are reported at once.

    Example: microveil check recipe.yaml patients.csv
    """
    from microveil.app.checking import check as check_recipe
    from microveil.recipes import Recipe

    if is_linked_file(recipe):
        found = check_linked_file(recipe, data, reading)
    else:
        plan = options.expecting(Recipe.read(recipe), expect)
        found = check_recipe(plan, None if data is None else options.read_data(data, reading, plan))
    if as_json:
        error = (
            {} if found.fits else {"error": error_object(found.problems[0], InputError.__name__)}
        )
        print_json(found.to_dict() | error)
        raise typer.Exit(0 if found.fits else InputError.exit_code)
    for problem in found.problems:
        console(error=True).print(problem, style="red", markup=False)
    if not found.fits:
        raise typer.Exit(InputError.exit_code)
    where = "" if data is None else " and fits the data"
    console().print(
        f"The recipe is valid{where}. Steps: {found.n_steps}, requirements: {found.n_requirements}."
    )
