"""`microveil advise`: a goal turned into verified recipes, with reasons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli import options, role_options
from microveil.cli.output import console, print_grid, print_json, progress_bar
from microveil.errors import FileError, InputError

if TYPE_CHECKING:
    import polars as pl

    from microveil.app import Advice, Goal
    from microveil.recipes import Recipe

NOT_MET = 3

GoalOption = Annotated[
    str,
    typer.Option(
        "--goal",
        "-g",
        help="Who will read the data (public, research, internal), or a goal file (YAML, JSON).",
    ),
]
OutDirectory = Annotated[
    Path,
    typer.Option("--out", "-o", help="Folder for recipes, figures and report.", show_default=False),
]
Time = Annotated[
    float, typer.Option("--time", "-t", help="Seconds after which the search ends.", min=0.1)
]
Work = Annotated[
    float | None,
    typer.Option("--work", help="Amount of work instead, about a second of one core each."),
]
Afresh = Annotated[bool, typer.Option("--afresh", help="Ignore finished trials in the folder.")]


@options.takes_reading_options
@role_options.takes_role_options
def advise(
    data: options.DataSource,
    out: OutDirectory,
    goal: GoalOption = "public",
    time: Time = 60,
    work: Work = None,
    seed: options.Seed = None,
    afresh: Afresh = False,
    as_json: options.AsJson = False,
    *,
    given: dict[str, Any],
    reading: dict[str, Any],
) -> None:
    """Search for recipes that reach a goal: the most useful, the safest and the truest.

    Each was run on all records and meets every requirement; `microveil run` repeats it. Finished
    trials are kept in the folder: after an interruption the same command continues.

    Examples: [bold]microveil advise patients.csv --goal research --out advice[/bold]
    · [bold]microveil advise patients.csv -q age,sex,zip --goal goal.yaml --time 120 --out
    advice[/bold]
    """
    from microveil import app

    wanted = _goal(goal, given)
    recipe = role_options.recipe_of(given)
    roles = role_options.roles_of(given)
    frame = _read(data, {k: v for k, v in reading.items() if v is not None}, recipe)
    finished = out / "finished"
    if afresh:
        for path in finished.glob("*.json"):
            path.unlink()
    with progress_bar() as progress:
        found = app.advise(
            frame,
            roles if roles.named or roles.scenarios else None,
            wanted,
            seconds=time,
            seed=seed,
            recipe=recipe,
            work=work,
            resume=finished,
            progress=progress,
        )
    files = [str(path) for path in found.write(out)]
    if as_json:
        print_json(found.to_dict() | {"written": files})
    else:
        _show(found, files, seeded=seed is not None)
    if not found.holds:
        raise typer.Exit(NOT_MET)


def _read(source: str, reading: dict[str, Any], recipe: Recipe | None) -> pl.DataFrame:
    """The one table that is searched for; files of a folder that differ are linked tables."""
    try:
        return options.read_data(source, reading, recipe)
    except FileError as error:
        if not Path(source).expanduser().is_dir():
            raise
        raise FileError(
            f"{source}: advise searches for one table, and the files here are not parts of one: "
            f"name one of them, or let `microveil inspect {source} --tables --recipe FILE` begin a "
            "recipe for linked tables."
        ) from error


def _goal(text: str, given: dict[str, Any]) -> Goal:
    """A preset by its name, otherwise a file; how missing keys are treated may be said besides."""
    from microveil.app import Goal
    from microveil.app.advising.goal import PRESETS

    path = Path(text).expanduser()
    is_file = path.suffix.lower() in (".yaml", ".yml", ".json") or path.exists()
    if text not in PRESETS and not is_file:
        raise InputError(
            f"There is no goal '{text}': name public, research or internal, or a file."
        )
    found = Goal.of(text) if text in PRESETS else Goal.read(path)
    missing = role_options.missing_of(given)
    return found if missing is None else found.model_copy(update={"missing": missing})


def _show(found: Advice, files: list[str], *, seeded: bool) -> None:
    from microveil.app.advising.advice import TITLES

    out = console()
    rows = [
        (TITLES[one.taste], one.candidate.name, f"{one.candidate.loss:.4g}", _risk(one))
        for one in found.offers
    ]
    if rows:
        n = len(found.candidates)
        title = f"{n} {'recipe' if n == 1 else 'recipes'} tried on all records"
        print_grid(out, title, ("taste", "recipe", "loss", "risk"), rows)
    else:
        out.print(found.problem, markup=False, style="red")
    for reason in found.why.get("useful", ()):
        out.print(f"· {reason}", markup=False)
    for price in found.prices:
        out.print(f"· {price.sentence()}", markup=False)
    for one in found.offers[:1]:
        for check in () if one.release is None else one.release.checks:
            out.print(check.sentence(), style="green" if check.holds else "red", markup=False)
    for caution in found.cautions:
        out.print(f"Caution: {caution}", markup=False, style="yellow")
    if not seeded and any(
        step.draws for one in found.offers for step in one.candidate.recipe.steps
    ):
        out.print("A recipe draws at random: give --seed to repeat it to the byte.", markup=False)
    out.print(f"Written: {', '.join(files)}", markup=False)


def _risk(one: Any) -> str:
    return f"{one.candidate.risk:.4g}"
