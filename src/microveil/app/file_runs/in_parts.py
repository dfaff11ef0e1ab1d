"""A run part by part: recipes on tables that need not fit into memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.parts_cautions import (
    Both,
    all_cautions,
    evidence_in_memory,
    looks_at_keys,
    looks_at_rows,
    row_warnings,
)
from microveil.app.file_runs.parts_measured import MeasuredParts
from microveil.app.file_runs.parts_writing import Written, write_parts
from microveil.app.file_runs.replaying import (
    KeptRows,
    holds_all_rows,
    rows_before_and_after,
)
from microveil.app.file_runs.result import FileRun
from microveil.app.file_runs.tally import Tally, whole_of
from microveil.app.running import check_requirements
from microveil.dp.coverage import coverage
from microveil.errors import InputError, at
from microveil.files import WriteReport
from microveil.files.folders import n_bytes_of
from microveil.files.placing import Placing
from microveil.files.reading import read_labels, scanning_source
from microveil.measures.base import Measure, RiskMeasure
from microveil.methods.parts.streams import fresh_seed
from microveil.planning import FileEngine, plan_steps
from microveil.planning.cost_estimate import (
    gib,
    memory_as_a_whole,
    memory_with_rows,
    refuse_unfit,
)
from microveil.privacy import Check, strictest_parameters
from microveil.recipes import Recipe
from microveil.registry.leaving import tell_registered
from microveil.registry.registering import Registration
from microveil.release.cautions import cautions_of
from microveil.release.counted_limits import check_counted_limits, needing_rows
from microveil.release.deriving import Derivation, derive, verify_derived
from microveil.release.evidence import Evidence
from microveil.release.expecting import refuse_unexpected
from microveil.release.mending import say_mends
from microveil.release.verifying import verify
from microveil.risk import Assessment, assess_table
from microveil.tables import LazyTable, Table
from microveil.tables.kinds import refuse_odd_weights
from microveil.texts import phrase

STREAMED = ("cell_changes",)
"""Measures that are taken part by part while the file is processed."""
LARGE = 64 * 2**20
"""Row-wise recipes: files from this many bytes on are processed in parts."""


def goes_in_parts(job: FileJob, *, wanted: bool | None) -> bool:
    """Whether to work in parts; an error if that is requested but impossible."""
    why = _why_not(job)
    if wanted and why is not None:
        raise InputError("This run cannot be done in parts: {why}.", why=why)
    if wanted is not None:
        return wanted
    row_wise = all(step.row_wise for step in job.recipe.steps)
    large = n_bytes_of(job.source) >= LARGE
    counted = not _comparing_rows(job.recipe)
    if why is None and row_wise and large and counted and job.data_only:
        return True
    needed = _needed_as_a_whole(job)
    if needed <= job.memory_limit:
        return False
    if why is not None and job.limited:
        raise InputError(
            "This run needs about {needed} of memory, {allowed} may be used, and it cannot be done "
            "in parts: {why}. Allow more by memory_limit.",
            needed=gib(needed),
            allowed=gib(job.memory_limit),
            why=why,
        )
    return why is None


def _needed_as_a_whole(job: FileJob) -> float:
    """Memory for the whole table; unknown, so none, where only a reader of all rows can tell."""
    if not job.source_format.lazy:
        return 0.0
    with scanning_source(job.source, job.source_format), at("roles"):
        engine = FileEngine(job.source, job.recipe.roles, job.options, 0, job.memory_limit)
        return memory_as_a_whole(engine)


def _why_not(job: FileJob) -> str | None:
    """Why the run cannot be done in parts, in words."""
    copies = [step.kind() for step in job.recipe.steps if getattr(step, "copies", 1) > 1]
    if copies:
        return phrase("step {makers} makes further tables", makers=copies)
    if any(step.makes_mapping for step in job.recipe.steps):
        return phrase("a mapping is gathered from the whole table")
    if job.recipe.tables is not None:
        return phrase("its tables are made from all records at once")
    if not (job.source_format.lazy and job.out_format.lazy):
        return phrase("only CSV, Parquet and JSON lines are read and written in parts")
    if job.recipe.require and not _tells_people_apart(job.recipe):
        entity = job.recipe.roles.entity
        return phrase(
            "people are counted by column '{entity}', and the file does not distinguish them",
            entity=entity,
        )
    return None


def _tells_people_apart(recipe: Recipe) -> bool:
    """Whether the written file links rows to people as well as the source did."""
    entity = recipe.roles.entity
    if entity is None:
        return True
    nobody = Table({name: [] for name in recipe.roles.named})
    steps = [step for step in recipe.steps if entity in step.touches(nobody)]
    return all(step.one_to_one for step in steps) and (bool(steps) or entity in recipe.keep)


class _WithheldError(Exception):
    """Leaves the writing block without a file; carries the results."""

    def __init__(self, result: FileRun) -> None:
        super().__init__()
        self.result = result


def run_in_parts(job: FileJob) -> FileRun:
    """Protect a file part by part; memory holds one part, the classes, and the plans."""
    with scanning_source(job.source, job.source_format):
        return _run_in_parts(job)


def _run_in_parts(job: FileJob) -> FileRun:
    recipe = job.recipe
    check_requirements(recipe)
    with Placing() as scratch:
        return _run_with(job, scratch.folder(Path(job.out)))


def _run_with(job: FileJob, scratch: Path) -> FileRun:
    recipe, seed = job.recipe, fresh_seed(job.seed)
    engine = FileEngine(
        job.source, recipe.roles, job.options, seed, job.memory_limit, job.progress, scratch
    )
    original = _open(job, engine)
    before = _assess(job, original)
    course = plan_steps(recipe, engine, seed)
    last = course.engine if isinstance(course.engine, FileEngine) else engine
    with recipe.beside_its_files():
        shown = course.head.columns
    tally = Tally(
        recipe,
        course.plans,
        seed,
        course.told,
        drawn=last.drawn,
        kept=KeptRows() if _asks_for_rows(job, engine, shown) else None,
    )
    return _write_and_check(job, (engine, last), tally, (original, before))


def _write_and_check(
    job: FileJob,
    engines: tuple[FileEngine, FileEngine],
    tally: Tally,
    source: tuple[LazyTable, Assessment],
) -> FileRun:
    """Write every part; what was written appears only if every requirement holds in it."""
    engine, (original, before) = engines[0], source
    try:
        with Placing() as placing:
            written = write_parts(job, engines, tally, placing)
            # The file's own cells, under the names and in the types of the protected table.
            evidence = written.evidence(job, tally)
            assessed = _assess(job, evidence.records)
            rows = _rows(job, engines, tally)
            shown = None if rows is None else (rows[0], whole_of(tally.split, rows[1]))
            models, derived = _verify_written(job, rows, tally, evidence)
            registration = _register(job, shown, _privacy_loss(job.recipe, engine, tally))
            limits = _limits(job, engine, tally, evidence.records, shown)
            checks = (*models, *limits, *_across(registration, tally.n_released))
            noted = cautions_of(job.recipe, tally.columns, before.standings, assessed.standings)
            holds = all(check.holds for check in checks)
            said = all_cautions(job, original, tally, rows, derived, leaves=holds)
            result = FileRun(
                checks=checks,
                mends=say_mends(checks, job.recipe),
                facts=tally.facts,
                n_records=tally.n_released,
                n_suppressed=tally.n_suppressed,
                measured=MeasuredParts(before, assessed, tally.utility()),
                written=written.reports,
                warnings=row_warnings(shown, tally.columns, derived) if holds else (),
                cautions=(*noted, *said),
                privacy_loss=_privacy_loss(job.recipe, engine, tally),
                in_parts=True,
            )
            _tell(placing, registration, written.reports, checks)
            _report(job, engine, tally, result, derived, placing)
            _describe(job, engine, result, written, placing)
            _withhold_unless(result, may_leave=result.holds and not job.dry_run)
        return replace(result, registered=tell_registered(registration))
    except _WithheldError as withheld:
        return withheld.result


def _privacy_loss(recipe: Recipe, engine: FileEngine, tally: Tally) -> Mapping[str, Any] | None:
    """ε and δ of steps with differential privacy."""
    private = coverage(recipe.steps, Table(engine.head(), recipe.roles), tally.columns)
    return None if private is None else private.to_dict()


def _open(job: FileJob, engine: FileEngine) -> LazyTable:
    """The source, once it is as the recipe expects it and fits."""
    recipe = job.recipe
    with at("roles"):
        original = engine.table
        if recipe.roles.weight is not None:
            refuse_odd_weights(original.plan, recipe.roles.weight)
    with at("expect"):
        refuse_unexpected(recipe, original.plan)
    refuse_unfit(recipe, engine, job.out)
    _refuse_too_many_rows(recipe, engine)
    return original


def _comparing_rows(recipe: Recipe) -> list[Measure]:
    """Measures that cannot be taken without all rows."""
    return [one for one in needing_rows(recipe, STREAMED) if one.kind() not in STREAMED]


def _refuse_too_many_rows(recipe: Recipe, engine: FileEngine) -> None:
    """Refuse, before anything is done, a measure that compares more rows than memory holds."""
    for spec in _comparing_rows(recipe)[:1]:
        instead = "class_sizes" if isinstance(spec, RiskMeasure) else "discernibility"
        try:
            engine.may_hold(memory_with_rows(engine), phrase("all rows"))
        except InputError as error:
            raise InputError(
                "Measure '{name}' compares records one by one, and memory does not hold all rows. "
                "Allow more by memory_limit, or require {instead} in its place.",
                name=spec.kind(),
                instead=instead,
            ) from error


def _rows(job: FileJob, engines: tuple[FileEngine, FileEngine], tally: Tally) -> Both | None:
    """All rows before and after, if something needs them and memory holds them."""
    if not _asks_for_rows(job, engines[0], tally.columns):
        return None
    return rows_before_and_after(*engines, tally.plans, job.recipe, tally.kept)


def _asks_for_rows(job: FileJob, engine: FileEngine, columns: Sequence[str]) -> bool:
    """Whether something asks for all rows, and memory holds them."""
    needed = job.registry is not None or needing_rows(job.recipe, STREAMED)
    small = looks_at_rows(engine.n_rows(), columns)
    asked = needed or small or looks_at_keys(job.recipe, columns)
    return bool(asked) and holds_all_rows(engine)


def _register(
    job: FileJob, rows: Both | None, privacy_loss: Mapping[str, Any] | None
) -> Registration | None:
    """The release on its way into the registry, which needs all rows once."""
    if job.registry is None:
        return None
    if rows is None:
        raise InputError(
            "Memory does not hold all rows, which a registry compares with earlier releases. "
            "Allow more by memory_limit."
        )
    return Registration.of(job.registry, job.recipe, *rows, privacy_loss)


def _across(registration: Registration | None, n_records: int) -> tuple[Check, ...]:
    return () if registration is None else registration.checks(n_records)


def _tell(
    placing: Placing,
    registration: Registration | None,
    written: tuple[WriteReport, ...],
    checks: tuple[Check, ...],
) -> None:
    """Let the registry know when the files are placed."""
    if registration is not None:
        placing.tell(registration.witness(None, written, checks))


def _verify_written(
    job: FileJob, rows: Both | None, tally: Tally, written: Evidence
) -> tuple[tuple[Check, ...], tuple[Derivation, ...]]:
    """The models on the written file, also with what it gives back of its keys filled in."""
    recipe = job.recipe
    checks = verify(recipe, written)
    if rows is None or not looks_at_keys(recipe, tally.columns):
        return checks, ()
    evidence = evidence_in_memory(recipe, rows, tally)
    derived = derive(recipe, rows[0], evidence)
    return verify_derived(recipe, evidence, derived, checks), derived


def _limits(
    job: FileJob, engine: FileEngine, tally: Tally, after: Table | LazyTable, rows: Both | None
) -> tuple[Check, ...]:
    """Check limits on measures: part by part, from the counts of the file, or on all rows."""
    if not job.recipe.limits:
        return ()
    head = Table(engine.head(), job.recipe.roles)
    changes = tally.utility()
    known = {} if changes is None else {"cell_changes": changes}
    tables = (engine.table, cast("LazyTable", after))  # a written file is counted, never held
    return check_counted_limits(job.recipe, head, tables, known, engine.may_hold, rows)


def _report(
    job: FileJob,
    engine: FileEngine,
    tally: Tally,
    result: FileRun,
    derived: tuple[Derivation, ...],
    placing: Placing,
) -> None:
    """Write the report; it is kept even if a requirement fails and the data are not."""
    if job.report is None or job.dry_run:
        return
    from microveil.app.file_runs.parts_report import PartsRelease, write_parts_report

    done = PartsRelease(
        recipe=job.recipe,
        original=Table(engine.head(), job.recipe.roles),
        checks=result.checks,
        facts=result.facts,
        cautions=result.cautions,
        before=result.before,
        after=result.after,
        cell_changes=tally.utility(),
        columns=tuple(tally.columns),
        n_records=result.n_records,
        n_removed=result.n_suppressed,
        derivations=derived,
        made_by=job.made_by,
        language=job.language,
    )
    # A broken release leaves the block of its files by an error: its report is placed by itself.
    write_parts_report(done, Path(job.report), result.written[0], placing if result.holds else None)


def _describe(
    job: FileJob, engine: FileEngine, result: FileRun, written: Written, placing: Placing
) -> None:
    """Write the metadata of a release that leaves, from the file itself, column by column."""
    if job.metadata is None or job.dry_run or not result.holds:
        return
    from microveil.metadata.describing import describe_parts
    from microveil.metadata.writing import write_metadata

    head, labels = engine.head().columns, read_labels(job.source, **job.options)
    told = describe_parts(job.recipe, list(written.plans), result, (*head,), labels, job.study)
    write_metadata(told, job.metadata, placing)


def _withhold_unless(result: FileRun, *, may_leave: bool) -> None:
    if not may_leave:
        raise _WithheldError(replace(result, written=()))


def _assess(job: FileJob, table: Table | LazyTable) -> Assessment:
    more: dict[str, Any] = {"models": strictest_parameters} if job.details else {}
    return assess_table(table, missing=job.recipe.missing_keys, **more)
