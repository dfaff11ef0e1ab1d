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
    typer.Option(
        "--out",
        help="Where the data go: .csv, .xlsx, .parquet, .sav …; a folder for 'course' and 'omop'.",
        show_default=False,
    ),
]
Rows = Annotated[int | None, typer.Option("--rows", min=1, help="How many rows.")]
Columns = Annotated[
    int | None, typer.Option("--columns", min=1, help="How many columns, of a number set.")
]
Values = Annotated[
    int | None,
    typer.Option("--values", min=1, help="How many values per column, of a dependent set."),
]
ExampleSeed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, other data.")]
RecipeOut = Annotated[
    Path | None, typer.Option("--recipe", help="Write its recipe here too, if it has one.")
]


def example(
    name: Name = None,
    out: Out = None,
    rows: Rows = None,
    columns: Columns = None,
    values: Values = None,
    seed: ExampleSeed = 2022,
    recipe: RecipeOut = None,
) -> None:
    """Write the artificial data of an example, and its recipe on request.

    Examples: microveil example · microveil example households --rows 20000 --out survey.csv
    · microveil example dependent --values 10 --columns 5 --out dependent.csv
    """
    from microveil.studies import ad_views_recipe
    from microveil.studies.examples import EXAMPLES
    from microveil.studies.examples.numbers import Shape

    if recipe is not None and name is not None and name not in ("ad_views", "omop"):
        raise InputError(f"Example '{name}' has no recipe of its own. Leave out --recipe.")
    if name is None:
        shown = [(key, one.title, f"{one.rows:,}") for key, one in EXAMPLES.items()]
        course = ("course", "the tables that the course of the UOC prints", "5-10 each")
        omop = ("omop", "a clinical database of five linked tables", "1,000 people")
        print_grid(console(), "Examples", ("name", "what it is", "rows"), [*shown, course, omop])
        return
    if name == "omop":
        _write_omop(out, rows, seed, recipe)
        return
    if name.startswith("course"):
        _write_course(name, out, given=Shape(rows, columns, values) != Shape())
        return
    if name not in EXAMPLES:
        known = listing([*EXAMPLES, "course", "omop"], most=20)
        hint = did_you_mean(name, EXAMPLES)
        raise InputError(f"No example '{name}'.{hint} There are: {known}.")
    target = _target(out)
    chosen = EXAMPLES[name]
    frame = chosen.make(Shape(rows, columns, values), seed)
    chosen.write(frame, target)
    typer.echo(f"{name}: {frame.height:,} rows written to {target}", err=True)
    if recipe is not None:
        ad_views_recipe().write(recipe)
        typer.echo(f"recipe written to {recipe}", err=True)


def _write_omop(out: Path | None, rows: int | None, seed: int, recipe: Path | None) -> None:
    """Five linked tables into a folder, and the recipe for them."""
    from microveil.files import write
    from microveil.linked import LinkedRecipe
    from microveil.studies.examples.omop import OMOP_RECIPE, omop_tables

    target = _target(out)
    target.mkdir(parents=True, exist_ok=True)
    tables = omop_tables(rows or 1000, seed)
    for name, frame in tables.items():
        write(frame, target / f"{name}.csv", keep_order=True)
    typer.echo(f"omop: {len(tables)} tables written to {target}", err=True)
    if recipe is not None:
        LinkedRecipe.parse(OMOP_RECIPE).write(recipe)
        typer.echo(f"recipe written to {recipe}", err=True)


def _target(out: Path | None) -> Path:
    if out is None:
        raise InputError("Say where the data go: --out FILE.")
    return out


def _write_course(name: str, out: Path | None, *, given: bool) -> None:
    """A table of the course into a file, all of them into a folder, or the list of them."""
    from microveil.files import write
    from microveil.studies.examples.course import COURSE

    if given:
        raise InputError("The course's tables are given. Leave out --rows, --columns, --values.")
    if name != "course" and name not in COURSE:
        hint = did_you_mean(name, COURSE)
        raise InputError(f"No table '{name}' of the course.{hint} List: microveil example course.")
    if name == "course" and out is None:
        shown = [(key, one.title, f"{one.frame.height}") for key, one in COURSE.items()]
        print_grid(console(), "The course's tables", ("name", "what it is", "rows"), shown)
        return
    target = _target(out)
    if name != "course":
        write(COURSE[name].frame, target, keep_order=True)
        typer.echo(f"{name}: {COURSE[name].frame.height} rows written to {target}", err=True)
        return
    target.mkdir(parents=True, exist_ok=True)
    for key, one in COURSE.items():
        write(one.frame, target / f"{key.removeprefix('course_')}.csv", keep_order=True)
    typer.echo(f"course: {len(COURSE)} tables written to {target}", err=True)
