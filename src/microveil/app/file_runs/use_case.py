"""Run a recipe from file to file: whole in memory, or part by part."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from microveil.app.file_runs.in_parts import goes_in_parts, run_in_parts
from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.result import FileRun
from microveil.app.file_runs.whole import run_whole
from microveil.app.running import check_promises
from microveil.errors import InputError
from microveil.progress import Progress, silent
from microveil.recipes import Recipe


def run_file(  # noqa: PLR0913  all but three are the caller's to leave open
    recipe: Recipe,
    source: str | Path,
    out: str | Path,
    *,
    report: str | Path | None = None,
    mapping: str | Path | None = None,
    seed: int | None = None,
    keep_order: bool = False,
    in_parts: bool | None = None,
    replace_table: bool = False,
    append_to_table: bool = False,
    details: bool = True,
    options: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> FileRun:
    """Apply a recipe to a file; nothing is written unless every requirement holds.

    Data, parts, report and mapping appear together, or none of them; whether they can be written is
    checked before any work is done, and the source is never overwritten. An existing table of a
    database is touched only with ``replace_table`` or ``append_to_table``.

    A row-wise recipe on a large Parquet, CSV or JSON lines file is processed in parts, so that the
    whole table is never in memory; ``in_parts`` overrides this. ``mapping`` is the file for a
    pseudonym mapping: keep it apart from the release. ``details=False`` omits, for a run in parts,
    what only the JSON output contains. ``options`` are those of :func:`microveil.read`.
    """
    started = time.perf_counter()
    reading = {name: value for name, value in (options or {}).items() if value is not None}
    asked = {"replace": replace_table or None, "append": append_to_table or None}
    writing = {name: value for name, value in asked.items() if value is not None}
    job = FileJob(
        recipe, source, out, report, mapping, seed, keep_order, reading, writing, details, progress
    )
    if in_parts and not job.data_only:
        raise InputError("A run in parts has no report and no mapping. Run the table as a whole.")
    check_promises(recipe)
    job.check()
    parts = goes_in_parts(job, wanted=in_parts) and job.data_only
    result = run_in_parts(job) if parts else run_whole(job)
    return replace(result, seconds=time.perf_counter() - started)
