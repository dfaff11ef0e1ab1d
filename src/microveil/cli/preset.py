"""`microveil preset`: recipes that follow a published rule."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from microveil.cli import options
from microveil.cli.output import console, print_grid, print_json
from microveil.errors import RequirementNotMetError

Name = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="Which preset.", show_default=False)
]
Data = Annotated[
    str | None, typer.Argument(metavar="[DATA]", help="The table.", show_default=False)
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Where the recipe goes; printed unless given.")
]
Check = Annotated[
    bool, typer.Option("--check", help="Check whether DATA follow the rule; exit code 3 if not.")
]


@options.takes_reading_options
def preset(
    name: Name = None,
    data: Data = None,
    out: Out = None,
    check: Check = False,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """List the presets, or write the recipe of one for a table's columns.

    Example: [bold]microveil preset hipaa_safe_harbor patients.csv --out recipe.yaml[/bold]
    """
    from microveil import app
    from microveil.errors import InputError

    if name is None:
        _list(app.presets(), as_json=as_json)
        return
    if data is None:
        raise InputError("Say which table: microveil preset NAME DATA.")
    frame = options.read_data(data, reading)
    if check:
        _check(app.check_preset(name, frame), as_json=as_json)
        return
    recipe = app.preset(name, frame)
    if out is not None:
        recipe.write(out)
    if as_json:
        print_json(recipe.to_dict())
    elif out is None:
        typer.echo(recipe.to_yaml(), nl=False)
    else:
        console().print(f"Written: {out}. Read it, change it, then run it.", markup=False)


def _list(found: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
    else:
        print_grid(console(), "Presets", ("name", "what it does"), list(found.items()))


def _check(found: Any, *, as_json: bool) -> None:
    if as_json:
        print_json(found.to_dict())
    if not found.holds:
        raise RequirementNotMetError(" ".join(found.problems))
    if not as_json:
        console().print(f"Nothing found that '{found.preset}' does not allow.", markup=False)
