"""`microveil inspect`: what a file holds, and which roles its columns might have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli import options
from microveil.cli.output import console, print_grid, print_json
from microveil.display import percent
from microveil.errors import InputError

if TYPE_CHECKING:
    from microveil.app import Inspection


@options.takes_reading_options
def inspect(
    data: options.DataSource,
    as_json: options.AsJson = False,
    tables: Annotated[
        bool,
        typer.Option("--tables", help="The source holds several tables: list them and their links"),
    ] = False,
    recipe: Annotated[
        Path | None,
        typer.Option("--recipe", help="With --tables: write a recipe to begin with."),
    ] = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Inspect a file: its columns, how identifying each is, and suggested roles with reasons.

    Example: [bold]microveil inspect patients.csv[/bold]
    """
    if tables:
        _show_tables(str(data), reading, recipe, as_json=as_json)
        return
    if recipe is not None:
        raise InputError("--recipe goes with --tables.")
    from microveil import app

    frame, labels = options.read_labelled_data(data, reading)
    inspection = app.inspect(frame, labels=labels)
    if as_json:
        print_json(inspection.to_dict())
        return
    show_inspection(inspection)


def _show_tables(
    source: str, reading: dict[str, Any], recipe: Path | None, *, as_json: bool
) -> None:
    """Print the tables of a folder, workbook or database, and the links that they suggest."""
    from microveil.linked import TableSet

    found = TableSet.read(source, **{k: v for k, v in reading.items() if v is not None})
    links = [str(link) for link in found.propose_links()]
    if recipe is not None:
        found.propose_recipe().write(recipe)
    if as_json:
        sizes = {
            name: {"n_records": frame.height, "columns": frame.columns}
            for name, frame in found.tables.items()
        }
        print_json({"tables": sizes, "links": links})
        return
    out = console()
    rows = [(name, frame.height, frame.width) for name, frame in found.tables.items()]
    print_grid(out, f"{len(rows)} tables", ("table", "records", "columns"), rows)
    out.print("Links that names suggest and values confirm", style="bold")
    for link in links or ["none: write them in the recipe, as visits.patient_id -> patients.id"]:
        out.print(f"  {link}", markup=False)


def show_inspection(inspection: Inspection) -> None:
    """Print an inspection: the columns, the reasons for their roles, and cautions."""
    out = console()
    rows = [
        (
            column.name,
            column.dtype,
            percent(column.missing_share),
            column.n_distinct,
            percent(column.uniqueness),
            column.role or "—",
        )
        for column in inspection.columns
    ]
    titles = ("column", "type", "missing", "distinct", "unique", "suggested role")
    print_grid(
        out, f"{inspection.n_records:,} records, {len(inspection.columns)} columns", titles, rows
    )
    out.print("Why", style="bold")
    for column in inspection.columns:
        why = "; ".join(column.reasons) or "nothing is known about it: please decide"
        out.print(f"  {column.name}: {why}", markup=False)
    if inspection.dates:
        out.print("\nHow dates are written (`reading` of a recipe, or --read)", style="bold")
    for name, found in inspection.dates.items():
        out.print(f"• {name}: {found.sentence()}", markup=False)
    others = [warning for warning in inspection.warnings if warning.topic != "dates"]
    if others:
        out.print("\nBe careful", style="bold")
    for warning in others:
        out.print(f"• {warning}", markup=False)
        if warning.line:
            out.print(f"  {warning.line}", markup=False, soft_wrap=True)
