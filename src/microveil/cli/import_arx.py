"""`microveil import-arx`: a project of the ARX desktop tool as a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from microveil.cli import options
from microveil.cli.output import console, print_json

Project = Annotated[Path, typer.Argument(metavar="PROJECT", help="The .deid file.")]
Out = Annotated[
    Path, typer.Option("--out", "-o", help="Where the recipe goes.", show_default=False)
]
Data = Annotated[
    Path | None, typer.Option("--data", help="Where the project's table goes, if it is wanted.")
]


def import_arx(
    project: Project, out: Out, data: Data = None, as_json: options.AsJson = False
) -> None:
    """Read an ARX project: roles, hierarchies, limits and models become a recipe.

    Example: [bold]microveil import-arx study.deid --out recipe.yaml --data study.csv[/bold]
    """
    from microveil import app

    found = app.read_arx_project(project)
    written = found.save(out, data)
    if as_json:
        print_json({"written": [str(path) for path in written], "notes": list(found.notes)})
        return
    for note in found.notes:
        console().print(f"! {note}", markup=False)
    for path in written:
        console().print(f"Written: {path}", markup=False)
