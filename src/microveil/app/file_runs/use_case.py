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
from microveil.planning.memory import memory_limit as memory_limit_of
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
    memory_limit: str | int | None = None,
    resume: bool = False,
    options: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> FileRun:
    """Apply a recipe to a file; nothing is written unless every requirement holds.

    Data, parts, report and mapping appear together, or none of them; whether they can be written
    is asked before any work is done, and the source is never overwritten. A table that a database
    already has is touched only with ``replace_table`` or ``append_to_table``.

    A row-wise recipe on a large Parquet, CSV or JSON lines file is worked through in parts, so
    that the table is never whole in memory; ``in_parts`` decides it otherwise, for recipes with
    steps that look at the whole table, too: those are planned from counts. ``memory_limit`` (such
    as ``4GB``) is what a run in parts may use; one that would not fit says so before it starts.
    With ``resume`` (and a seed) a run that was stopped goes on at the part where it stopped.
    ``mapping`` is where a pseudonym's mapping goes: keep it apart from the release.
    ``details=False`` leaves out of a run in parts what only JSON tells of the result. ``options``
    are those of :func:`microveil.read`.
    """
    started = time.perf_counter()
    reading = {name: value for name, value in (options or {}).items() if value is not None}
    asked = {"replace": replace_table or None, "append": append_to_table or None}
    writing = {name: value for name, value in asked.items() if value is not None}
    job = FileJob(
        recipe,
        source,
        out,
        report,
        mapping,
        seed,
        keep_order,
        reading,
        writing,
        details or report is not None,
        progress,
        memory_limit_of(memory_limit),
        resume,
    )
    check_promises(recipe)
    job.check()
    parts = goes_in_parts(job, wanted=in_parts or (True if resume else None))
    result = run_in_parts(job) if parts else run_whole(job)
    return replace(result, seconds=time.perf_counter() - started)
