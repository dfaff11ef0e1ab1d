"""`microveil inspect`: what a file holds, and which roles its columns might have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.cli import options
from microveil.cli.output import console, print_grid, print_json
from microveil.display import percent

if TYPE_CHECKING:
    from microveil.app import Inspection


@options.takes_reading_options
def inspect(
    data: options.DataSource,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Inspect a file: its columns, how identifying each is, and suggested roles with reasons.

    Example: [bold]microveil inspect patients.csv[/bold]
    """
    from microveil import app

    frame, labels = options.read_labelled_data(data, reading)
    inspection = app.inspect(frame, labels=labels)
    if as_json:
        print_json(inspection.to_dict())
        return
    show_inspection(inspection)


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
