"""`microveil run`: apply a recipe to a file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from microveil.cli import options
from microveil.cli.logs import Log, Verbose, logging_to_stderr
from microveil.cli.output import (
    MISSING_WORDS,
    console,
    percent,
    print_grid,
    print_json,
    progress_bar,
)
from microveil.cli.searches import search_lines
from microveil.cli.settings import settings as parse_settings
from microveil.errors import InputError, NotOnSparkError, RequirementNotMetError

if TYPE_CHECKING:
    from microveil.app import FileRun


class Engine(StrEnum):
    """Engine that does the work."""

    local = "local"
    spark = "spark"


RecipeFile = Annotated[
    Path, typer.Argument(metavar="RECIPE", help="YAML or JSON recipe.", show_default=False)
]
Out = Annotated[
    str | None,
    typer.Option("--out", "-o", help="Target for the protected data.", show_default=False),
]
Report = Annotated[Path | None, typer.Option("--report", help="Write a report: .html or .json.")]
MadeBy = Annotated[
    str | None,
    typer.Option(
        "--made-by", envvar="MICROVEIL_MADE_BY", help="Who answers for the release, in the report."
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        help="Write a record of the run: versions, checksums, durations, memory, verdicts, exit.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Do everything but the writing; --out is not needed then."),
]
Mapping = Annotated[
    Path | None,
    typer.Option("--mapping", help="Target for a pseudonym mapping; keep it separate."),
]
KeepOrder = Annotated[
    bool, typer.Option("--keep-order", help="Write rows in their original order, not shuffled.")
]
InParts = Annotated[
    bool | None,
    typer.Option(
        "--in-parts/--whole",
        help="Process the file in parts, or whole; default: in parts if large and row-wise.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="Replace a parameter of the recipe, repeated: --set steps.1.k=10"),
]
Node = Annotated[
    str | None,
    typer.Option(
        "--node",
        help="Release another node of the search: its rank in `microveil lattice` (3), or levels "
        "(age=1,sex=0).",
    ),
]
Undeclared = Annotated[
    str | None,
    typer.Option("--undeclared", help="Undeclared columns: refuse, keep or drop."),
]
Replace = Annotated[
    bool, typer.Option("--replace", help="Replace an existing table of a database.")
]
Append = Annotated[
    bool, typer.Option("--append", help="Append to an existing table of a database.")
]
EngineChoice = Annotated[Engine, typer.Option("--engine", help="Engine that does the work.")]


@options.takes_reading_options
def run(
    recipe: RecipeFile,
    data: options.DataSource,
    out: Out = None,
    report: Report = None,
    made_by: MadeBy = None,
    record: Record = None,
    dry_run: DryRun = False,
    seed: options.Seed = None,
    keep_order: KeepOrder = False,
    mapping: Mapping = None,
    settings: Settings = None,
    undeclared: Undeclared = None,
    node: Node = None,
    in_parts: InParts = None,
    replace: Replace = False,
    append: Append = False,
    engine: EngineChoice = Engine.local,
    verbose: Verbose = False,
    log: Log = None,
    as_json: options.AsJson = False,
    *,
    reading: dict[str, Any],
) -> None:
    """Apply a recipe to a file; nothing is written unless every requirement holds.

    Example: [bold]microveil run recipe.yaml patients.csv --out released.csv
    --report report.html[/bold]
    """
    from microveil import app
    from microveil.app.lattices import at_node
    from microveil.recipes import Recipe

    if engine is Engine.spark:
        raise NotOnSparkError("The Spark engine is not part of this version. Use --engine local.")
    if out is None and not dry_run:
        raise InputError("Say where the protected data go (--out FILE), or ask for a --dry-run.")
    values = parse_settings(settings)
    if undeclared is not None:
        values["undeclared"] = undeclared
    chosen = Recipe.read(recipe)
    chosen = chosen.with_values(values) if values else chosen
    if node is not None:
        chosen = at_node(chosen, node)
    with logging_to_stderr(verbose, log), progress_bar() as progress:
        result = app.run_file(
            chosen,
            data,
            out,
            report=report,
            mapping=mapping,
            seed=seed,
            keep_order=keep_order,
            in_parts=in_parts,
            replace_table=replace,
            append_to_table=append,
            details=as_json,
            options=reading,
            record=record,
            dry_run=dry_run,
            made_by=made_by,
            progress=progress,
        )
    if as_json:
        print_json(result.to_dict() | ({"dry_run": True} if dry_run else {}))
    else:
        show_run(result)
        if dry_run:
            console().print("Nothing was written: this was a dry run.")
    if not result.holds:
        broken = " ".join(check.sentence() for check in result.checks if not check.holds)
        raise RequirementNotMetError(f"{broken} No data were written. Add a step to the recipe.")


def show_run(result: FileRun) -> None:
    """Print a summary of a run."""
    out = console()
    before, after = result.outline
    rows = [
        ("records", before.n_records, after.n_records),
        ("classes", before.n_classes, after.n_classes),
        ("k", before.k, after.k),
        ("unique records", before.n_unique, after.n_unique),
        ("acceptable k", before.acceptable_k, after.acceptable_k),
        ("bad rows", percent(before.below_share), percent(after.below_share)),
    ]
    title = f"Disclosure risk ({MISSING_WORDS[after.missing]})"
    print_grid(out, title, ("", "before", "after"), rows)
    _show_cells(result)
    for line in search_lines(result.facts):
        out.print(line, markup=False)
    for check in result.checks:
        mark = "[green]✔[/green]" if check.holds else "[red]✘[/red]"
        out.print(f"{mark} {escape(check.sentence())}")
    if result.privacy_loss is not None:
        out.print(result.privacy_loss["sentence"], markup=False)
    for warning in result.warnings:
        out.print(f"[yellow]![/yellow] {escape(warning)}")
    for place, step in enumerate(result.facts, 1):
        if "key_fingerprint" in step.facts:
            out.print(f"Step {place}, {step.method}: key {step.facts['key_fingerprint']}")
    for report in result.written:
        order = "in random order" if report.shuffled else "in their original order"
        n_cells = sum(report.n_neutralized.values())
        formulas = f", {n_cells} cells neutralised against formulas" if n_cells else ""
        path = escape(report.path)
        out.print(f"Written: {path}, {report.n_rows:,} rows {order}{formulas}")
    out.print(f"{result.seconds:.2f} s", style="dim")


def _show_cells(result: FileRun) -> None:
    """How many cells are not as they were; of synthetic records there is no such number."""
    try:
        lost = result.cell_changes
    except InputError as error:
        console().print(f"Cells were not compared. {error}", markup=False)
        return
    shares = [
        (name, percent(lost.parts[key]))
        for name, key in (
            ("changed", "changed_share"),
            ("blanked", "suppressed_share"),
            ("removed", "removed_share"),
        )
    ]
    print_grid(console(), f"Cells changed: {percent(lost.value)}", ("", ""), shares)
