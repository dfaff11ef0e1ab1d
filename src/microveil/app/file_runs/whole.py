"""A run with the whole table in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.releasing_tables import release_tables
from microveil.app.file_runs.result import FileRun
from microveil.app.file_runs.watch import log
from microveil.app.running import run
from microveil.files import WriteReport, read_labelled, write
from microveil.files.formats import display_source
from microveil.files.placing import Placing
from microveil.files.writing import Terms, foresee
from microveil.metadata.describing import describe_release
from microveil.metadata.writing import write_metadata
from microveil.registry.leaving import tell_registered
from microveil.release.cautions import Caution
from microveil.release.mending import say_mends
from microveil.release.release import Release
from microveil.reports.contents.tables import write_tables
from microveil.tabulation.tables import ProtectedTables


def run_whole(job: FileJob) -> FileRun:
    """Read, protect, check, write, report; all files appear together, or none."""
    with job.progress.phase("reading"):
        frame, labels = read_labelled(job.source, **job.options)
    log("read", n_records=frame.height, n_columns=frame.width)
    release = run(
        job.recipe,
        frame,
        seed=job.seed,
        labels=labels,
        registry=job.registry,
        progress=job.progress,
    )
    made = release_tables(release, job.seed, job.progress) if release.holds else None
    if made is not None and not made.holds:
        made.frames  # noqa: B018  says which cell gives somebody away, before anything is written
    written: tuple[WriteReport, ...] = ()
    if not job.dry_run:
        written = _write_all(release, job, made)
    private = release.privacy_loss
    return FileRun(
        privacy_loss=None if private is None else private.to_dict(),
        checks=release.checks,
        facts=release.facts,
        n_records=release.table.height,
        n_suppressed=release.n_suppressed,
        measured=release,
        written=written,
        warnings=release.warnings if release.holds else (),
        cautions=(*release.cautions, *_attack(release, job)),
        mends=say_mends(release.checks, release.recipe),
        registered=tell_registered(release.registration),
        tables=made,
        tables_written=tuple(job.tables_written),
    )


def _attack(release: Release, job: FileJob) -> tuple[Caution, ...]:
    """What attacks found; they tell something of data that leave only."""
    if not job.attacks or not release.holds or release.held_back:
        return ()
    with job.progress.phase("attacks"):
        return release.attacks


def _write_all(
    release: Release, job: FileJob, made: ProtectedTables | None
) -> tuple[WriteReport, ...]:
    """Data, tables, mapping and report appear together; the report even if the data are withheld.

    A database is written last: its transaction must not stand open while a report is made. The
    report then says what will be true, or neither appears.
    """
    written: tuple[WriteReport, ...] = ()
    with Placing() as placing:
        last = release.holds and job.out_format.database
        if last:
            told = foresee(release.exportable(), job.out, keep_order=job.keep_order)
            _report(release, job, placing, told)
        if release.holds:
            with job.progress.phase("writing"):
                written = _write(release, job, placing)
                _describe(release, job, placing, written)
                if made is not None and job.tables is not None:
                    job.tables_written.extend(write_tables(made, job.tables, placing))
                written += _write_mapping(release, job, placing)
        if not last:
            _report(release, job, placing, written[0] if written else None)
    return written


def _report(release: Release, job: FileJob, placing: Placing, written: WriteReport | None) -> None:
    targets: dict[Literal["internal", "public"], str | Path | None] = {"internal": job.report}
    if release.holds:  # the public reads of nothing that it does not get
        targets["public"] = job.public_report
    for audience, target in targets.items():
        if target is not None:
            _report_to(audience, Path(target), release, job, placing, written)


def _report_to(
    audience: Literal["internal", "public"],
    target: Path,
    release: Release,
    job: FileJob,
    placing: Placing,
    written: WriteReport | None,
) -> None:
    with job.progress.phase("report"):
        release.report(
            target,
            audience=audience,
            written=written,
            placing=placing,
            source=display_source(job.source),
            made_by=job.made_by,
            language=job.language,
        )


def _describe(
    release: Release, job: FileJob, placing: Placing, written: tuple[WriteReport, ...]
) -> None:
    if job.metadata is not None:
        write_metadata(describe_release(release, job.study, written), job.metadata, placing)


def _write(release: Release, job: FileJob, placing: Placing) -> tuple[WriteReport, ...]:
    """Write the table and its parts beside it, with labels if the format supports them."""
    return release.write_all(job.out, keep_order=job.keep_order, placing=placing, **job.writing)


def _write_mapping(release: Release, job: FileJob, placing: Placing) -> tuple[WriteReport, ...]:
    terms = Terms(placing, private=True)
    tables = zip(release.secrets.values(), job.mapping_files(), strict=True)
    return tuple(write(table, path, terms=terms) for table, path in tables)
