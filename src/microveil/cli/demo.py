"""`microveil demo`: a bundled example, protected end to end."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from microveil.cli.options import AsJson
from microveil.cli.output import console, print_json, progress_bar
from microveil.cli.risk import show_risk
from microveil.cli.run import show_run

if TYPE_CHECKING:
    from microveil.methods import Method

OutDirectory = Annotated[Path, typer.Option("--out", help="Folder for the files it creates.")]
Rows = Annotated[int, typer.Option("--rows", min=100, help="Size of the example.")]


def demo(
    out: OutDirectory = Path("microveil-demo"), rows: Rows = 20_000, as_json: AsJson = False
) -> None:
    """Protect a bundled example end to end: risk before, release, risk after, utility, report.

    The data are artificial: views of advertisements by users of web platforms.
    """
    from microveil import app
    from microveil.files import write
    from microveil.studies import ad_views, ad_views_recipe

    recipe = ad_views_recipe()
    out.mkdir(parents=True, exist_ok=True)
    source, released, report = out / "views.csv", out / "released.csv", out / "report.html"
    frame = ad_views(rows)
    write(frame, source, keep_order=True)
    recipe.write(out / "recipe.yaml")
    if not as_json:
        console().print(f"[bold]1. The data as they are[/bold]: {source}\n")
        show_risk(app.assess(frame, recipe.roles), n_uniques=5)
        console().print(f"[bold]2. The recipe[/bold]: {out / 'recipe.yaml'}\n")
        for step in recipe.steps:
            line = f"   {step.kind():<18} {_of(step)}{step.summary()}"
            console().print(fill(line, console().width, subsequent_indent=" " * 22), markup=False)
        console().print("\n[bold]3. The release[/bold]\n")
    with progress_bar() as progress:
        result = app.run_file(recipe, source, released, report=report, seed=1, progress=progress)
    if as_json:
        print_json(result.to_dict())
        return
    show_run(result)
    console().print(f"\nReport: {report}\nThe same by hand: [bold]microveil run "
                    f"{out / 'recipe.yaml'} {source} --out {released}[/bold]")  # fmt: skip


def _of(step: Method) -> str:
    """The columns that a step names, before what it does."""
    column = getattr(step, "column", None)
    names = [column] if column else list(getattr(step, "columns", None) or ())
    return f"{', '.join(names)}: " if names else ""
