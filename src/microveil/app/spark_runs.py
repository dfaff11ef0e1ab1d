"""Run a recipe from folder to folder with Spark."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.record import record_of
from microveil.app.file_runs.result import FileRun
from microveil.app.file_runs.watch import Watch
from microveil.app.running import check_requirements
from microveil.errors import InputError, NotOnSparkError, at
from microveil.files import Labels, WriteReport, scan, write_text
from microveil.files.placing import Placing
from microveil.metadata.study import Study
from microveil.planning.memory import memory_limit as memory_limit_of
from microveil.planning.planner import not_there
from microveil.recipes import Recipe
from microveil.registry.leaving import name_source, refuse_without_registry, tell_registered
from microveil.registry.registering import RegistryTerms
from microveil.risk import Assessment
from microveil.scores import Score
from microveil.tables import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from microveil.spark import SparkRelease


def run_spark_file(  # noqa: PLR0913  all but three have a default
    recipe: Recipe,
    source: str | Path,
    out: str | Path,
    *,
    seed: int | None = None,
    master: str | None = None,
    keep_order: bool = False,
    memory_limit: str | int | None = None,
    report: str | Path | None = None,
    record: str | Path | None = None,
    made_by: str | None = None,
    language: str = "en",
    metadata: str | Path | None = None,
    study: Study | None = None,
    registry: RegistryTerms | None = None,
) -> dict[str, Any]:
    """Apply a recipe to a Parquet or CSV file, or a folder of them, and write a new folder.

    Nothing is written unless every requirement holds; after writing, all are checked again on the
    files. ``report``, ``record`` and ``registry`` are as in :func:`~microveil.run_file`; the report
    has no measures that compare records one by one. Returns plain data, as printed by ``microveil
    run --json``.
    """
    watch = Watch()
    job = FileJob(
        recipe=recipe,
        source=source,
        out=out,
        report=report,
        seed=seed,
        keep_order=keep_order,
        progress=watch,
        record=record,
        made_by=made_by,
        language=language,
        metadata=metadata,
        study=study,
        registry=name_source(registry, source, made_by),
        folders=True,
    )
    started = datetime.now(UTC)
    try:
        checked = _check(job)
        result = _run_reading(job, checked, master, memory_limit_of(memory_limit))
    except Exception as error:
        watch.end()
        _write_record(job, started, error)
        raise
    _write_record(job, started, result)
    return _plain(result, (datetime.now(UTC) - started).total_seconds())


def _check(job: FileJob) -> tuple[str, list[Path]] | None:
    """Refuse, before Spark is started, a source that cannot be read or a target that cannot be."""
    from microveil.spark.places import place_at
    from microveil.spark.reading import check_source

    check_requirements(job.recipe)
    refuse_without_registry(job.recipe, job.registry)
    for position, step in enumerate(job.recipe.steps):
        if step.makes_mapping:  # whose target could not even be named
            with at(f"steps.{position}.{step.kind()}"):
                raise not_there(step)
    if job.metadata is not None and place_at(job.out) is not None:
        raise InputError(
            "Metadata are made from files of this machine: write to a folder here, or leave "
            "--metadata out."
        )
    # What only Spark reaches is looked for when it has started.
    checked = None if place_at(job.source) is not None else check_source(job.source)
    job.check()
    return checked


def _run_reading(
    job: FileJob, checked: tuple[str, list[Path]] | None, master: str | None, memory_limit: int
) -> FileRun:
    from microveil.spark import spark_session
    from microveil.spark.places import place_at
    from microveil.spark.reading import naming_damaged_files, read_on_spark

    clock = time.perf_counter()
    with naming_damaged_files(checked), Placing() as scratch:
        with job.progress.phase("starting Spark"):
            session = spark_session(master)
            here = place_at(job.out) is None
            place = scratch.folder(Path(job.out)) if here else None
            frame = read_on_spark(session, job.source, checked, place)
        try:
            return _run(job, frame, memory_limit, clock)
        finally:
            frame.unpersist()


def _run(job: FileJob, frame: DataFrame, memory_limit: int, clock: float) -> FileRun:
    from microveil.spark import run_on_spark

    watch = job.progress
    with watch.phase("protecting"):
        release = run_on_spark(
            job.recipe, frame, seed=job.seed, memory_limit=memory_limit, registry=job.registry
        )
    if not release.holds:
        _write_report(job, release, None)
        release.require_all()
    with watch.phase("writing"):
        all_written = release.write_all(job.out, keep_order=job.keep_order)
        written = all_written[0]
    with watch.phase("report"):
        _write_report(job, release, written)
    done = FileRun(
        checks=release.checks,
        facts=release.facts,
        n_records=written.n_rows,
        n_suppressed=release.original.height - written.n_rows,
        measured=_Measured(release),
        cautions=release.cautions,
        written=all_written,
        registered=tell_registered(release.registration),
        in_parts=True,
        seconds=time.perf_counter() - clock,
    )
    _describe(job, release, done)
    return done


def _describe(job: FileJob, release: SparkRelease, done: FileRun) -> None:
    """Write the metadata from the files that Spark wrote, column by column."""
    if job.metadata is None:
        return
    from microveil.metadata.describing import describe_parts
    from microveil.metadata.writing import write_metadata

    frames = [scan(one.path) for one in done.written]
    columns = release.original.head.columns
    told = describe_parts(job.recipe, frames, done, columns, Labels(), job.study)
    write_metadata(told, job.metadata)


@dataclass(frozen=True, eq=False)
class _Measured:
    """What is known about a release on Spark, counted on request."""

    release: SparkRelease

    @property
    def utility(self) -> Mapping[str, Score]:
        return {}

    @property
    def cell_changes(self) -> Score:
        raise NotOnSparkError("Changed cells are not counted on Spark. Use --engine local.")

    def assess_before(self, *, models: bool) -> Assessment:  # noqa: ARG002  always told
        return self.release.risk_before

    def assess_after(self, *, models: bool) -> Assessment:  # noqa: ARG002  always told
        return self.release.risk


def _write_report(job: FileJob, release: SparkRelease, written: WriteReport | None) -> None:
    if job.report is None:
        return
    from microveil.app.file_runs.parts_report import PartsRelease, write_parts_report

    before = release.original.height
    n_records = release.table.height if written is None else written.n_rows
    done = PartsRelease(
        recipe=job.recipe,
        original=Table(release.original.head, job.recipe.roles),
        checks=release.checks,
        facts=release.facts,
        cautions=release.cautions,
        before=release.risk_before,
        after=release.risk,
        cell_changes=None,
        columns=tuple(release.leaving_columns()),
        n_records=n_records,
        n_removed=before - n_records,
        made_by=job.made_by,
        language=job.language,
    )
    write_parts_report(done, Path(job.report), written)


def _write_record(job: FileJob, started: datetime, ended: FileRun | Exception) -> None:
    if job.record is None or (isinstance(ended, Exception) and not job.record_stands_apart()):
        return
    plain = record_of(job, job.progress, started, ended) | {"engine": "spark"}
    write_text(json.dumps(plain, indent=2, ensure_ascii=False) + "\n", job.record)


def _plain(result: FileRun, seconds: float) -> dict[str, Any]:
    return {
        "holds": result.holds,
        "checks": [check.to_dict() for check in result.checks],
        "cautions": [caution.to_dict() for caution in result.cautions],
        "n_records": result.n_records,
        "n_suppressed": result.n_suppressed,
        "facts": [facts.to_dict() for facts in result.facts],
        **({} if result.registered is None else {"registry": dict(result.registered)}),
        "written": [one.to_dict() for one in result.written],
        "engine": "spark",
        "seconds": round(seconds, 3),
    }
