"""`microveil hierarchy`: build, show and check hierarchies."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from microveil.cli import options
from microveil.cli.output import console, print_grid, print_json
from microveil.cli.settings import settings
from microveil.errors import InputError

if TYPE_CHECKING:
    from microveil.hierarchies import Hierarchy

hierarchy = typer.Typer(help="Build, show and check hierarchies.", no_args_is_help=True)


MOST_VALUES = 200
"""Values that are listed at once."""


class Builder(StrEnum):
    """How a hierarchy is built from a column's values."""

    intervals = "intervals"
    digits = "digits"
    prefix = "prefix"
    dates = "dates"
    tree = "tree"
    types = "types"
    order = "order"
    frequency = "frequency"


Kind = Annotated[Builder, typer.Argument(help="How it is built.", show_default=False)]
Column = Annotated[
    str, typer.Option("-c", "--column", help="Column whose values it covers.", show_default=False)
]
Parameter = Annotated[
    list[str] | None,
    typer.Option("-p", "--set", help="A parameter of the builder, repeated: -p width=10"),
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Write it: .csv (ARX layout) or .yaml (tree).")
]
HierarchyFile = Annotated[str, typer.Argument(metavar="FILE", help="CSV or YAML hierarchy.")]


@hierarchy.command("build")
def build(
    kind: Kind,
    data: options.DataSource,
    column: Column,
    parameters: Parameter = None,
    out: Out = None,
    as_json: options.AsJson = False,
) -> None:
    """Build a hierarchy for a column of a file.

    Example: [bold]microveil hierarchy build intervals patients.csv -c age -p width=10
    --out age.csv[/bold]
    """
    from microveil.hierarchies import build_hierarchy, write_hierarchy
    from microveil.tables.roles import check_columns

    frame = options.read_data(data)
    check_columns([column], frame.columns)
    built = build_hierarchy({"hierarchy": kind.value, **settings(parameters)}, frame[column])
    if out is not None:
        write_hierarchy(built, out)
    _show(built, as_json=as_json)


@hierarchy.command("skeleton")
def make_skeleton(
    data: options.DataSource,
    column: Column,
    out: Annotated[Path, typer.Option("--out", help="Where it goes: .csv or .yaml.")],
) -> None:
    """Write a hierarchy with every value of a column in one group, to be filled in by hand.

    The file holds the column's values: keep it where the data are.

    Example: [bold]microveil hierarchy skeleton patients.csv -c town --out towns.csv[/bold]
    """
    from microveil.hierarchies import skeleton, write_hierarchy
    from microveil.tables.roles import check_columns

    frame = options.read_data(data)
    check_columns([column], frame.columns)
    made = skeleton(frame[column])
    write_hierarchy(made, out)
    console().print(f"Written: {out}, {made.n_values:,} values. Name their groups.", markup=False)


@hierarchy.command("show")
def show(file: HierarchyFile, as_json: options.AsJson = False) -> None:
    """Show the levels of a hierarchy file and report any problems."""
    from microveil.hierarchies import read_hierarchy

    _show(read_hierarchy(file), as_json=as_json)


@hierarchy.command("check")
def check(
    file: HierarchyFile,
    data: options.DataSource,
    column: Column,
    show_values: Annotated[
        bool,
        typer.Option("--show-values", help="List what is missing; only on a terminal."),
    ] = False,
) -> None:
    """Check that a hierarchy file covers every value of a column."""
    from microveil.hierarchies import Distinct, read_hierarchy, unlisted_values
    from microveil.tables.roles import check_columns

    frame = options.read_data(data)
    check_columns([column], frame.columns)
    listed = read_hierarchy(file)
    if show_values:
        _print_values(unlisted_values(listed, frame[column]))
    listed.match(Distinct.of(frame[column])).require_all()
    console().print(f"Every value of column '{column}' is in the hierarchy.", markup=False)


def _print_values(values: list[str]) -> None:
    """Print values for whoever holds the data; they never go into a file or a log."""
    if not sys.stdout.isatty():
        raise InputError("--show-values prints values of the data: only on a terminal.")
    for value in values[:MOST_VALUES]:
        console().print(value, markup=False)
    if len(values) > MOST_VALUES:
        console().print(f"… and {len(values) - MOST_VALUES:,} more", style="dim")


def _show(built: Hierarchy, *, as_json: bool) -> None:
    from microveil.hierarchies import describe

    plain = describe(built)
    if as_json:
        print_json(plain)
        return
    rows = [
        (one["level"], one["name"], one["n_labels"], ", ".join(one["labels"][:6]))
        for one in plain["levels"]
    ]
    title = f"{plain['n_values']:,} values, {plain['n_levels']} levels"
    print_grid(console(), title, ("level", "name", "labels", "for example"), rows)
