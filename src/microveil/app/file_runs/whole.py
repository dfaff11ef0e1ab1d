"""A run with the whole table in memory."""

from __future__ import annotations

from pathlib import Path

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.result import FileRun
from microveil.app.running import run
from microveil.files import Labels, WriteReport, read_labelled, write
from microveil.files.placing import Placing
from microveil.files.writing import Terms
from microveil.release.release import Release


def run_whole(job: FileJob) -> FileRun:
    """Read, protect, check, write and report; all files appear together, or none."""
    frame, labels = read_labelled(job.source, **job.options)
    release = run(job.recipe, frame, seed=job.seed, progress=job.progress)
    written: tuple[WriteReport, ...] = ()
    with Placing() as placing:
        if release.holds:
            written = _write(release, job, labels, placing)
            written += _write_mapping(release, job, placing)
        if job.report is not None:
            main = written[0] if written else None
            release.report(Path(job.report), written=main, placing=placing)
    return FileRun(
        checks=release.checks,
        facts=release.facts,
        n_records=release.table.height,
        n_suppressed=release.n_suppressed,
        measured=release,
        written=written,
        warnings=release.warnings if release.holds else (),
    )


def _write(
    release: Release, job: FileJob, labels: Labels, placing: Placing
) -> tuple[WriteReport, ...]:
    """Write the table and its parts beside it, with labels if the format supports them."""
    more = {"labels": labels} if "labels" in job.out_format.writes else {}
    return release.write_all(
        job.out, keep_order=job.keep_order, placing=placing, **job.writing, **more
    )


def _write_mapping(release: Release, job: FileJob, placing: Placing) -> tuple[WriteReport, ...]:
    terms = Terms(placing, private=True)
    tables = zip(release.secrets.values(), job.mapping_files(), strict=True)
    return tuple(write(table, path, terms=terms) for table, path in tables)
