"""`microveil inspect`: what a file holds, and which roles its columns might have."""

from __future__ import annotations

from microveil.cli import options
from microveil.cli.output import console, percent, print_grid, print_json


def inspect(
    data: options.DataSource,
    as_json: options.AsJson = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    sheet: options.Sheet = None,
    table: options.TableName = None,
    query: options.Query = None,
) -> None:
    """Look at a file: its columns, how identifying each is, and suggested roles with reasons.

    Example: [bold]microveil inspect patients.csv[/bold]
    """
    from microveil import app

    frame = options.read_data(
        data,
        separator=separator,
        encoding=encoding,
        decimal=decimal,
        sheet=sheet,
        table=table,
        query=query,
    )
    inspection = app.inspect(frame)
    if as_json:
        print_json(inspection.to_dict())
        return
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
    print_grid(out, f"{frame.height:,} records, {frame.width} columns", titles, rows)
    out.print("Why", style="bold")
    for column in inspection.columns:
        why = "; ".join(column.reasons) or "nothing is known about it: decide yourself"
        out.print(f"  {column.name}: {why}", markup=False)
    if inspection.warnings:
        out.print("\nBe careful", style="bold")
    for warning in inspection.warnings:
        out.print(f"• {warning}", markup=False)
