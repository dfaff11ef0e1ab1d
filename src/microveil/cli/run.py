"""`microveil run`: apply a recipe to a file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from microveil.cli import options
from microveil.cli.linked_tables import takes_linked_recipes
from microveil.cli.logs import Log, Verbose, logging_to_stderr
from microveil.cli.metadata import MetadataPlace, StudyFile, metadata_terms
from microveil.cli.output import (
    MISSING_WORDS,
    console,
    error_object,
    print_cautions,
    print_grid,
    print_json,
    progress_bar,
)
from microveil.cli.searches import search_lines
from microveil.cli.settings import settings as parse_settings
from microveil.cli.written import show_spark, show_written
from microveil.display import percent
from microveil.errors import InputError, RequirementNotMetError
from microveil.texts import Message, join

if TYPE_CHECKING:
    from microveil.app import FileRun
    from microveil.planning import CostEstimate
    from microveil.recipes import Recipe
    from microveil.risk import Assessment


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
Report = Annotated[
    Path | None, typer.Option("--report", help="Write a report: .html, .pdf or .json.")
]
PublicReport = Annotated[
    Path | None,
    typer.Option("--public-report", help="Write a report for those who get the release, too."),
]
Tables = Annotated[
    str | None,
    typer.Option("--tables", help="Target for the recipe's tables: .xlsx, .html, .csv, a folder."),
]
Language = Annotated[
    str, typer.Option("--language", help="Language of the report: en or es.", show_default=True)
]
MadeBy = Annotated[
    str | None,
    typer.Option(
        "--made-by",
        envvar="MICROVEIL_MADE_BY",
        help="Who is responsible for the release.",
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
        help="Process the file in parts, or whole. By default, large files of recipes that "
        "look at each row alone go in parts.",
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
MemoryLimit = Annotated[
    str | None,
    typer.Option("--memory-limit", help="Memory that a run may use, such as 4GB or 512MiB."),
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Keep finished parts beside the target, and go on from those of a stopped run.",
    ),
]
PriceOnly = Annotated[
    bool,
    typer.Option("--price", help="Tell what a run in parts would take, and do nothing."),
]
Master = Annotated[
    str | None,
    typer.Option(
        "--master", help="Spark's master, such as spark://host:7077; this machine if none."
    ),
]
EngineChoice = Annotated[Engine, typer.Option("--engine", help="Where the work is done.")]


@options.takes_reading_options
@takes_linked_recipes
def run(
    recipe: RecipeFile,
    data: options.DataSource,
    out: Out = None,
    report: Report = None,
    public_report: PublicReport = None,
    made_by: MadeBy = None,
    language: Language = "en",
    record: Record = None,
    dry_run: DryRun = False,
    seed: options.Seed = None,
    keep_order: KeepOrder = False,
    mapping: Mapping = None,
    tables: Tables = None,
    settings: Settings = None,
    undeclared: Undeclared = None,
    expect: options.Expect = None,
    node: Node = None,
    in_parts: InParts = None,
    replace: Replace = False,
    append: Append = False,
    engine: EngineChoice = Engine.local,
    master: Master = None,
    memory_limit: MemoryLimit = None,
    resume: Resume = False,
    price: PriceOnly = False,
    registry: options.RegistryPlace = None,
    registry_key: options.RegistryKey = None,
    person: options.Person = None,
    source: options.SourceName = None,
    audience: options.ForWhom = None,
    metadata: MetadataPlace = None,
    study: StudyFile = None,
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

    _check_targets(out, master, engine, dry_run=dry_run)
    chosen = options.expecting(_read_recipe(recipe, settings, undeclared, node), expect)
    if price:
        told = app.price_file(chosen, data, out or ".", memory_limit=memory_limit, options=reading)
        print_json(told.to_dict()) if as_json else show_price(told)
        return
    files: dict[str, Any] = {"report": report, "record": record}
    beside = {"public_report": public_report, "mapping": mapping, "tables": tables}
    options.keep_inputs((study, registry_key), out=out, metadata=metadata, **files, **beside)
    terms = options.registry_terms(registry, registry_key, person, source, audience)
    said = files | {"made_by": made_by, "language": language, "seed": seed}
    said |= {"keep_order": keep_order, "memory_limit": memory_limit}
    said |= metadata_terms(metadata, study)
    if engine is Engine.spark:
        _refuse_local_options(dry_run or resume, reading | beside, in_parts)
        with logging_to_stderr(verbose, log):
            done = app.run_spark_file(chosen, data, str(out), master=master, registry=terms, **said)
        show_spark(done, as_json=as_json)
        return
    said |= {"options": reading, "registry": terms, "in_parts": in_parts, **beside}
    with logging_to_stderr(verbose, log), progress_bar() as progress:
        result = app.run_file(
            chosen,
            data,
            out,
            replace_table=replace,
            append_to_table=append,
            details=as_json,
            resume=resume,
            dry_run=dry_run,
            attacks=True,
            **said,
            progress=progress,
        )
    _show_result(result, dry_run=dry_run, as_json=as_json)


def _refuse_broken(result: FileRun) -> None:
    if failed := _describe_failure(result):
        raise RequirementNotMetError(failed)


def _describe_failure(result: FileRun) -> str:
    """What is said where a requirement does not hold."""
    broken = [check.sentence() for check in result.checks if not check.holds]
    unwritten = Message("run.unwritten", "No data were written.")
    return join([*broken, unwritten, *filter(None, [result.mends])]) if broken else ""


def _read_recipe(
    recipe: Path, settings: list[str] | None, undeclared: str | None, node: str | None
) -> Recipe:
    """The recipe of a file, with what the command line replaces."""
    from microveil.app.lattices import at_node
    from microveil.recipes import Recipe

    values = parse_settings(settings)
    if undeclared is not None:
        values["undeclared"] = undeclared
    chosen = Recipe.read(recipe)
    chosen = chosen.with_values(values) if values else chosen
    return chosen if node is None else at_node(chosen, node)


def _show_result(result: FileRun, *, dry_run: bool, as_json: bool) -> None:
    """Print what was done, and refuse if a requirement is broken."""
    if as_json:
        failed = _describe_failure(result)
        error = {"error": error_object(failed, RequirementNotMetError.__name__)} if failed else {}
        print_json(result.to_dict() | ({"dry_run": True} if dry_run else {}) | error)
    else:
        show_run(result)
        if dry_run:
            console().print("Nothing was written: this was a dry run.")
    _refuse_broken(result)


def _check_targets(out: str | None, master: str | None, engine: Engine, *, dry_run: bool) -> None:
    if master is not None and engine is not Engine.spark:
        raise InputError("--master goes with --engine spark.")
    if out is None and (not dry_run or engine is Engine.spark):
        raise InputError("Say where the protected data go (--out FILE), or ask for a --dry-run.")


def _refuse_local_options(asked: bool, given: dict[str, Any], *others: object) -> None:
    if asked or any(value is not None for value in (*given.values(), *others)):
        raise InputError(
            "The Spark engine has no --mapping, --tables, --public-report, --resume, --dry-run, "
            "--in-parts or options of reading: leave them out, or use --engine local."
        )


def show_price(price: CostEstimate) -> None:
    """Print what a run in parts would take."""
    out = console()
    rows = [
        ("rows", f"{price.n_rows:,}"),
        ("columns", f"{price.n_columns:,}"),
        ("passes over the source", f"{price.passes:,}"),
        ("memory, about", f"{price.memory / 2**30:.2f} GiB"),
        ("memory that may be used", f"{price.memory_limit / 2**30:.2f} GiB"),
        ("disk, about", f"{price.disk / 2**30:.2f} GiB"),
        ("time, about", f"{price.seconds:,.0f} s"),
    ]
    print_grid(out, "A run in parts", ("", ""), rows)
    steps = [(one.method, one.way, one.passes) for one in price.steps]
    print_grid(out, "Steps", ("step", "planned", "passes"), steps)
    for problem in price.problems:
        out.print(f"[red]✘[/red] {escape(problem)}")


def show_run(result: FileRun) -> None:
    """Print a summary of a run."""
    out = console()
    before, after = result.outline
    rows = [
        ("records", before.n_records, after.n_records),
        *_people_rows(before, after),
        ("classes", before.n_classes, after.n_classes),
        ("k", before.k, after.k),
        ("unique records", before.n_unique, after.n_unique),
        ("acceptable k", before.acceptable_k, after.acceptable_k),
        ("below acceptable k", percent(before.below_share), percent(after.below_share)),
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
    print_cautions(out, result.cautions)
    for warning in result.warnings:
        out.print(f"[yellow]![/yellow] {escape(warning)}")
    for place, step in enumerate(result.facts, 1):
        if "key_fingerprint" in step.facts:
            out.print(f"Step {place}, {step.method}: key {step.facts['key_fingerprint']}")
    _show_registered(result)
    show_written(result)
    out.print(f"{result.seconds:.2f} s", style="dim")


def _show_registered(result: FileRun) -> None:
    told = result.registered
    if told is not None and told["id"] is not None:
        console().print(f"Registered as {told['id']}. {told['sentence']}", markup=False)


def _people_rows(before: Assessment, after: Assessment) -> list[tuple[str, object, object]]:
    """Numbers of people, where class sizes count them."""
    if before.n_people is None and after.n_people is None:
        return []
    return [
        ("people, whom classes and k count", before.n_people, after.n_people),
        ("unique people", before.n_unique_people, after.n_unique_people),
    ]


def _show_cells(result: FileRun) -> None:
    """Print how many cells changed; for synthetic records there is no such number."""
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
