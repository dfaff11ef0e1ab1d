"""Run a recipe from file to file: whole in memory, or part by part."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from microveil.app.file_runs.in_parts import goes_in_parts, run_in_parts
from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.record import record_of
from microveil.app.file_runs.result import FileRun
from microveil.app.file_runs.watch import Watch, log
from microveil.app.file_runs.whole import run_whole
from microveil.app.running import check_requirements
from microveil.errors import InputError
from microveil.files import write_text
from microveil.files.formats import source_format
from microveil.metadata.study import Study
from microveil.planning.memory import memory_limit as memory_limit_of
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.registry.leaving import name_source, refuse_without_registry
from microveil.registry.records.provenance import provenance_of
from microveil.registry.records.signing import sign_record
from microveil.registry.registering import RegistryTerms


def run_file(  # noqa: PLR0913  all but three are the caller's to leave open
    recipe: Recipe,
    source: str | Path,
    out: str | Path | None,
    *,
    report: str | Path | None = None,
    public_report: str | Path | None = None,
    mapping: str | Path | None = None,
    tables: str | Path | None = None,
    seed: int | None = None,
    keep_order: bool = False,
    in_parts: bool | None = None,
    replace_table: bool = False,
    append_to_table: bool = False,
    details: bool = True,
    memory_limit: str | int | None = None,
    resume: bool = False,
    options: Mapping[str, Any] | None = None,
    record: str | Path | None = None,
    dry_run: bool = False,
    made_by: str | None = None,
    language: str = "en",
    attacks: bool = False,
    registry: RegistryTerms | None = None,
    metadata: str | Path | None = None,
    study: Study | None = None,
    progress: Progress = silent,
) -> FileRun:
    """Apply a recipe to a file; nothing is written unless every requirement holds.

    Data, parts, report and mapping appear together, or none of them; whether they can be written is
    checked before any work is done, and the source is never overwritten. An existing table of a
    database is touched only with ``replace_table`` or ``append_to_table``.

    A row-wise recipe on a large Parquet, CSV or JSON lines file is processed in parts, so that the
    whole table is never in memory. ``in_parts`` forces or prevents this; it also works for recipes
    with steps that need the whole table, which are planned from counts. ``memory_limit`` (such as
    ``4GB``) is what a run may use: a table that does not fit as a whole is processed in parts, and
    a run that would not fit either way is refused before it starts.
    With ``resume`` (and a seed) an interrupted run continues at the part where it stopped.
    ``mapping`` is the target for the mapping of pseudonyms: keep it apart from the release.
    ``tables`` is the target for the recipe's tables: .xlsx, .html, .csv or a folder; records and
    tables are written, or neither.
    ``details=False`` leaves out what a run in parts computes only for its JSON output. ``options``
    are those of :func:`microveil.read`. ``public_report`` is a second report, without numbers that
    help an intruder, for those who get the release; it needs the whole table in memory, and is
    written with the data only.

    ``dry_run`` does all of this except writing, and needs no ``out``. ``record`` is the target for
    the record of the run, however it ends: versions, checksums, the seed's fingerprint, durations
    and verdicts. ``made_by`` names in the report who is responsible for the release;
    the report is in English, or with ``language="es"`` in Spanish. With ``attacks`` the release is
    attacked in simulation, and a caution says where that succeeds too often. With a ``registry``
    the release is compared with earlier ones of the same people, and noted there: it is registered
    and written, or neither. ``metadata`` is the folder for codebook, DDI, Croissant and DCAT, or
    one file by its suffix; ``study`` says in them what only people know.
    """
    if out is None and not dry_run:
        raise InputError("Say where the protected data go: out, or dry_run to write nothing.")
    reading = {name: value for name, value in (options or {}).items() if value is not None}
    asked = {"replace": replace_table or None, "append": append_to_table or None}
    writing = {name: value for name, value in asked.items() if value is not None}
    with _place_of(out, source) as place:
        job = FileJob(
            recipe=recipe,
            source=source,
            out=place,
            report=report,
            public_report=public_report,
            mapping=mapping,
            tables=tables,
            seed=seed,
            keep_order=keep_order,
            options=({"reading": recipe.reading} if recipe.reading else {}) | reading,
            writing=writing,
            details=details or report is not None,
            progress=Watch(progress),
            record=record,
            dry_run=dry_run,
            made_by=made_by,
            language=language,
            memory_limit=memory_limit_of(memory_limit),
            limited=memory_limit is not None,
            resume=resume,
            attacks=attacks,
            registry=name_source(registry, source, made_by),
            metadata=metadata,
            study=study,
        )
        return _run_and_record(job, in_parts=in_parts)


@contextmanager
def _place_of(out: str | Path | None, source: str | Path) -> Iterator[str | Path]:
    """Where data are written; for a dry run without a target, a temporary place."""
    if out is not None:
        yield out
        return
    known = source_format(source)
    ending = known.suffixes[0] if known.lazy else ".parquet"
    with TemporaryDirectory() as folder:
        yield Path(folder, f"dry_run{ending}")


def _run_and_record(job: FileJob, *, in_parts: bool | None) -> FileRun:
    """Run the job, and write its record however it ends."""
    started, clock = datetime.now(UTC), time.perf_counter()
    log("start", n_steps=len(job.recipe.steps), n_requirements=len(job.recipe.require))
    ended: FileRun | BaseException
    try:
        ended = replace(_run(job, in_parts=in_parts), seconds=time.perf_counter() - clock)
    except Exception as error:
        job.progress.end()
        log("failed", kind=type(error).__name__)
        _write_record(job, started, error)
        raise
    log("end", holds=ended.holds, n_records=ended.n_records, seconds=round(ended.seconds, 3))
    _write_record(job, started, ended)
    return ended


def _write_record(job: FileJob, started: datetime, ended: FileRun | Exception) -> None:
    if job.record is None:
        return
    if isinstance(ended, Exception) and not job.record_stands_apart():
        return  # that was the mistake: no input and no other result is overwritten
    plain = record_of(job, job.progress, started, ended)
    plain["prov"] = provenance_of(plain, job.made_by)
    if key := os.environ.get("MICROVEIL_SIGNING_KEY"):
        plain = sign_record(plain, key)
    write_text(json.dumps(plain, indent=2, ensure_ascii=False) + "\n", job.record)


def _run(job: FileJob, *, in_parts: bool | None) -> FileRun:
    check_requirements(job.recipe)
    refuse_without_registry(job.recipe, job.registry)
    job.check()
    wanted = True if job.resume else in_parts
    if job.public_report is not None:
        if wanted:
            raise InputError(
                "A public report needs the whole table in memory: run without parts, or write the "
                "internal report only."
            )
        wanted = False
    parts = goes_in_parts(job, wanted=wanted)
    return run_in_parts(job) if parts else run_whole(job)
