"""A run with the table whole in memory."""

from __future__ import annotations

from pathlib import Path

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.result import FileRun
from microveil.app.running import run
from microveil.errors import InputError
from microveil.files import Labels, WriteReport, read_labelled, write
from microveil.release.release import Release, part_path


def run_whole(job: FileJob) -> FileRun:
    """Read, protect, check, write, report."""
    frame, labels = read_labelled(job.source, **job.options)
    release = run(job.recipe, frame, seed=job.seed, progress=job.progress)
    written: tuple[WriteReport, ...] = ()
    if release.holds:
        release.exportable()
        check_mapping(release, job.mapping)
        written = _write(release, job, labels)
        if job.mapping is not None:
            written += _write_mapping(release, job.mapping)
    if job.report is not None:
        release.report(job.report, written=written[0] if written else None)
    return FileRun(
        checks=release.checks,
        facts=release.facts,
        n_records=release.table.height,
        n_suppressed=release.n_suppressed,
        before=release.risk_before,
        after=release.risk,
        utility=release.utility,
        written=written,
    )


def _write(release: Release, job: FileJob, labels: Labels) -> tuple[WriteReport, ...]:
    """Write the table and its parts beside it; labels go along where the format has them."""
    options = {"labels": labels} if "labels" in job.out_format.writes else {}
    return release.write_all(job.out, keep_order=job.keep_order, **options)


def check_mapping(release: Release, mapping: str | Path | None) -> None:
    """Refuse a mapping that has nowhere to go, or that no step makes."""
    if release.secrets and mapping is None:
        raise InputError(
            "The recipe asks for a pseudonym mapping: say where it goes, apart from the release "
            "(--mapping FILE)."
        )
    if mapping is not None and not release.secrets:
        raise InputError("No step of the recipe makes a mapping: set `mapping: true` in one.")


def _write_mapping(release: Release, mapping: str | Path) -> tuple[WriteReport, ...]:
    tables = list(release.secrets.items())
    if len(tables) == 1:
        return (write(tables[0][1], mapping),)
    return tuple(write(table, part_path(mapping, name)) for name, table in tables)
