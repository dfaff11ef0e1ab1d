"""`microveil table`: protected tables from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from microveil.cli import options
from microveil.cli.output import console, error_object, print_grid, print_json, progress_bar
from microveil.display import percent
from microveil.errors import RequirementNotMetError

if TYPE_CHECKING:
    from microveil.app.file_runs.tabulating import TableRun

PlanFile = Annotated[
    Path,
    typer.Argument(metavar="SPEC", help="YAML or JSON file with tables.", show_default=False),
]
Out = Annotated[
    str,
    typer.Option("--out", "-o", help=".xlsx, .html, .csv (one table) or a folder."),
]
Record = Annotated[
    Path | None,
    typer.Option("--record", help="Write a record: every rule, its result, and checksums."),
]


@options.takes_reading_options
def table(
    spec: PlanFile,
    data: options.DataSource,
    out: Out,
    seed: options.Seed = None,
    registry: options.RegistryPlace = None,
    registry_key: options.RegistryKey = None,
    source: options.SourceName = None,
    audience: options.ForWhom = None,
    record: Record = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Make tables that are safe together; nothing is written if a cell gives somebody away.

    SPEC lists tables, rules and a protection:
    tables: [{by: [region, sex]}, {by: [region], value: income}]
    rules: [{rule: threshold, n: 3}]

    Example: [bold]microveil table tables.yaml patients.csv --out tables.xlsx[/bold]
    """
    from microveil.app.file_runs.tabulating import tabulate_file
    from microveil.tabulation.plan import TablePlan

    terms = options.registry_terms(registry, registry_key, None, source, audience)
    with progress_bar() as progress:
        run = tabulate_file(
            TablePlan.read(spec),
            data,
            out,
            seed=seed,
            options=reading,
            progress=progress,
            registry=terms,
            record=record,
        )
    failed = _describe_failure(run)
    if as_json:
        error = {"error": error_object(failed, RequirementNotMetError.__name__)} if failed else {}
        print_json(run.to_dict() | error)
    else:
        _show(run)
    if failed:
        raise RequirementNotMetError(failed)


def _describe_failure(run: TableRun) -> str:
    try:
        _ = run.made.frames
    except RequirementNotMetError as error:
        return str(error)
    return ""


def _show(run: TableRun) -> None:
    out = console()
    rows = [
        (
            "; ".join(facts["tables"]),
            f"{facts['n_cells']:,}",
            f"{facts['n_unsafe']:,}",
            f"{facts['n_secondary']:,}",
            percent(facts["value_share"]),
        )
        for facts in run.made.facts
    ]
    print_grid(out, "Cells", ("tables", "cells", "unsafe", "secondary", "value published"), rows)
    levels = [
        (
            one.table,
            one.level,
            f"{one.n_cells:,}",
            f"{one.n_suppressed:,}",
            percent(one.value_share),
        )
        for one in run.losses
    ]
    names = ("table", "level", "cells", "suppressed", "value published")
    print_grid(out, "What was lost, by level below the total", names, levels)
    noted = run.registered
    if noted is not None and noted.entry is not None:
        out.print(f"Registered as {noted.entry.id}. {noted.sentence()}", markup=False)
    for path in run.written:
        out.print(f"Written: {escape(str(path))}")
