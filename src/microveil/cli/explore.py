"""`microveil explore`: risk and utility of a recipe at many settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli import options, settings
from microveil.cli.logs import say
from microveil.cli.output import console, fits, print_grid, print_json, progress_bar
from microveil.cli.run import RecipeFile
from microveil.errors import InputError

if TYPE_CHECKING:
    from microveil.app import Exploration
    from microveil.recipes import Recipe

INTERRUPTED = 130

OutDirectory = Annotated[
    Path,
    typer.Option(
        "--out", "-o", help="Folder for table, map and finished points.", show_default=False
    ),
]
GridOption = Annotated[
    list[str] | None,
    typer.Option(
        "--grid",
        help="Values of a parameter, repeated: steps.1.k=3,5,10. Paths joined by + take the same "
        "value; NAME:path=… is for the recipe NAME (its file without suffix) alone.",
    ),
]
Alternative = Annotated[
    list[Path] | None,
    typer.Option("--alternative", help="Another recipe on the same map, repeated."),
]
Risk = Annotated[
    list[str] | None,
    typer.Option("--risk", help="Risk measure, repeated; the first makes the map."),
]
Utility = Annotated[
    list[str] | None,
    typer.Option("--utility", help="Utility measure, repeated; the first makes the map."),
]
MaxRisk = Annotated[float | None, typer.Option("--max-risk", help="Largest acceptable risk.")]
MaxLoss = Annotated[float | None, typer.Option("--max-loss", help="Largest acceptable loss.")]
MinUtility = Annotated[
    float | None, typer.Option("--min-utility", help="Smallest acceptable utility.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", help="Points processed at a time; by default all cores.")
]
Afresh = Annotated[bool, typer.Option("--afresh", help="Ignore finished points in the folder.")]


@options.takes_reading_options
def explore(
    recipe: RecipeFile,
    data: options.DataSource,
    out: OutDirectory,
    grid: GridOption = None,
    alternative: Alternative = None,
    risk: Risk = None,
    utility: Utility = None,
    max_risk: MaxRisk = None,
    max_loss: MaxLoss = None,
    min_utility: MinUtility = None,
    seed: options.Seed = None,
    workers: Workers = None,
    afresh: Afresh = False,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Run a recipe at many settings and show risk and utility of each on one map.

    Finished points are kept in the folder: after an interruption the same command continues.

    Example: [bold]microveil explore recipe.yaml patients.csv --grid steps.6.k+require.0.k=3,5,10
    --max-risk 0.2 --out map[/bold]
    """
    from microveil import app
    from microveil.recipes import Recipe

    grids = settings.grids(grid)
    main = Recipe.read(recipe)
    alternatives = _alternatives(recipe, alternative, grids)
    given = {name: value for name, value in reading.items() if value is not None}
    frame = options.read_data(data, given, main)
    finished = out / "finished"
    if afresh:
        _forget(finished)
    try:
        with progress_bar() as progress:
            found = app.explore(
                frame,
                main,
                grids.get(recipe.stem, grids.get("", {})),
                name=recipe.stem,
                alternatives=alternatives,
                risk=risk or None,
                utility=utility or None,
                seed=seed,
                workers=workers,
                resume=finished,
                progress=progress,
            )
    except KeyboardInterrupt:
        _leave(finished)
    limits = found.with_ceilings(max_risk, max_loss, min_utility)
    found.limits(**limits)
    files = _write(found, out, limits)
    best, sentence = _best(found, limits)
    if as_json:
        told = {"best": best, "sentence": sentence, "limits": limits, "written": files}
        print_json(found.to_dict() | told)
        return
    _show(found, best, sentence, files)


def _leave(finished: Path) -> None:
    n_points = len(list(finished.glob("*.json")))
    say(
        f"Interrupted; {n_points} finished points are kept in {finished}. The same command "
        "continues from there.",
        colour=typer.colors.RED,
    )
    raise typer.Exit(INTERRUPTED)


def _forget(finished: Path) -> None:
    """Remove points of earlier explorations, and nothing else."""
    for path in finished.glob("*.json"):
        path.unlink()


def _alternatives(first: Path, paths: list[Path] | None, grids: dict[str, Any]) -> dict[str, Any]:
    """Further recipes by file name, with a grid of their own if one is given."""
    from microveil.recipes import Recipe

    recipes: dict[str, Recipe] = {}
    for path in paths or []:
        if path.stem in {first.stem, *recipes}:
            raise InputError(f"Two recipes are called '{path.stem}'. Rename one file.")
        recipes[path.stem] = Recipe.read(path)
    strangers = [name for name in grids if name not in {"", first.stem, *recipes}]
    if strangers:
        raise InputError(f"No recipe is called '{strangers[0]}': add --alternative FILE.")
    return {name: (one, grids[name]) if name in grids else one for name, one in recipes.items()}


def _write(found: Exploration, out: Path, limits: dict[str, float | None]) -> list[str]:
    """Write the table as CSV and JSON, and the map in three formats if it can be drawn."""
    from microveil import plots
    from microveil.files import write, write_text

    write(found.frame, out / "points.csv", keep_order=True)
    text = json.dumps(found.to_dict(), indent=1, ensure_ascii=False, default=str)
    write_text(text + "\n", out / "points.json")
    written = ["points.csv", "points.json"]
    try:
        chart = found.plot(**limits)
    except InputError as error:
        say(f"no map was drawn: {error}", colour=typer.colors.YELLOW, level="warning")
    else:
        plots.save_svg(chart, out / "map.svg")
        plots.to_png(chart, out / "map.png")
        plots.to_html(chart, out / "map.html")
        written += ["map.svg", "map.png", "map.html"]
    return [str(out / name) for name in written]


def _best(found: Exploration, limits: dict[str, float | None]) -> tuple[int | None, str]:
    """The best point's number and a sentence; an unreachable limit is reported, not an error."""
    try:
        best = found.best(**limits)
    except InputError as error:
        return None, str(error)
    given = [
        f"{name.replace('_', ' ')} {value:g}" for name, value in limits.items() if value is not None
    ]
    under = f"Best under {' and '.join(given)}" if given else "Nearest to the ideal corner"
    risk, utility = found.plane.risk, found.plane.utility
    return best.number, (
        f"{under}: point {best.number}, {found.name_of(best)} "
        f"({risk} {best.value(risk):.4g}, {utility} {best.value(utility):.4g})."
    )


def _show(found: Exploration, best: int | None, sentence: str, files: list[str]) -> None:
    """Print the points, with the front marked, and name the best one."""
    out = console()
    frame = found.frame.drop("pareto", "problem", "seconds")
    front = {point.number for point in found.front}
    rows = []
    for row, point in zip(frame.iter_rows(), found.points, strict=True):
        mark = "★" if row[0] == best else "●" if row[0] in front else ""
        rows.append((mark, *row, f"{point.seconds:.2f} s"))
    title = f"{len(found)} points, {len(front)} on the front (●)"
    heads = ("", *frame.columns, "took")
    short = {} if fits(out, heads, rows) else short_heads(frame.columns)
    print_grid(out, title, tuple(short.get(head, head) for head in heads), rows)
    if short:
        legend = ", ".join(f"{name} is {path}" for path, name in short.items())
        out.print(f"{legend}.", markup=False)
    for point in found.points:
        if point.problem is not None:
            out.print(f"Point {point.number}: {point.problem}", markup=False)
    for caution in found.cautions:
        out.print(f"Caution: {caution}", markup=False, style="yellow")
    out.print(f"★ {sentence}" if best is not None else sentence, markup=False, style="bold")
    out.print(f"Written: {', '.join(files)}", markup=False)


def short_heads(columns: Sequence[str]) -> dict[str, str]:
    """The last word of each path, where no other path or column has the same.

    >>> short_heads(["point", "steps.6.k+require.0.k", "steps.4.top_share"])
    {'steps.6.k+require.0.k': 'k', 'steps.4.top_share': 'top_share'}
    """
    paths = [name for name in columns if name.startswith(("steps.", "require.", "roles."))]
    short = {path: path.rpartition(".")[2] for path in paths}
    taken = [*short.values(), *(name for name in columns if name not in short)]
    return {path: name for path, name in short.items() if taken.count(name) == 1}
