"""A run part by part: row-wise recipes on tables that need not fit into memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.result import FileRun
from microveil.app.running import apply_step, at, check_promises, fresh_seed
from microveil.errors import InputError
from microveil.files import BatchWriter, ShuffledBatchWriter, WriteReport, batches, scan
from microveil.files.atomic import replacing
from microveil.privacy import reached
from microveil.recipes import Recipe
from microveil.release.export_rules import refuse_undeclared
from microveil.release.release import StepFacts
from microveil.release.verifying import verify
from microveil.risk import assess_table
from microveil.scores import Score
from microveil.tables import LazyTable, Roles, Table
from microveil.utility import CellChanges

LARGE = 64 * 2**20
"""Files from this many bytes on are worked through in parts where the recipe allows it."""
BATCH = 200_000


def goes_in_parts(job: FileJob, *, wanted: bool | None) -> bool:
    """Whether to work in parts; an error where that is asked for in vain."""
    whole_steps = [step.kind() for step in job.recipe.steps if not step.row_wise]
    able = not whole_steps and job.source_format.lazy and job.out_format.lazy
    if wanted and not able:
        why = (
            f"step {', '.join(whole_steps)} looks at the whole table"
            if whole_steps
            else "only CSV, Parquet and JSON lines are read and written in parts"
        )
        raise InputError(f"This run cannot be done in parts: {why}.")
    if wanted is not None:
        return wanted
    path = Path(job.source).expanduser()
    return able and path.is_file() and path.stat().st_size >= LARGE


class _WithheldError(Exception):
    """Leaves the writing block without a file; carries what was found out."""

    def __init__(self, result: FileRun) -> None:
        super().__init__()
        self.result = result


def run_in_parts(job: FileJob) -> FileRun:
    """Protect a file part by part; memory holds one part, and the classes."""
    recipe = job.recipe
    check_promises(recipe)
    plan = scan(job.source, **job.options)
    with at("roles"):
        original = LazyTable(plan, recipe.roles)
    before = assess_table(original, missing=recipe.reading, models=reached)
    tally = _Tally(recipe, fresh_seed(job.seed))
    try:
        with replacing(Path(job.out).expanduser()) as partial:
            report = _write(job, tally, partial, before.n_records)
            after = _streamed(scan(partial, format=job.out_format.name), recipe.roles)
            result = FileRun(
                checks=verify(recipe, after),
                facts=tally.facts,
                n_records=tally.n_records,
                n_suppressed=0,
                before=before,
                after=assess_table(after, missing=recipe.reading, models=reached),
                utility={"cell_changes": tally.utility()},
                written=(replace(report, path=str(job.out)),),
                in_parts=True,
            )
            _withhold_unless_safe(result)
    except _WithheldError as withheld:
        return replace(withheld.result, written=())
    return result


def _write(job: FileJob, tally: _Tally, place: Path, n_records: int) -> WriteReport:
    """Protect every part and append it."""
    writer = BatchWriter if job.keep_order else ShuffledBatchWriter
    with writer(place, format=job.out_format.name) as sink:
        for batch in batches(job.source, BATCH, **job.options):
            job.progress(tally.n_records, n_records, "rows")
            sink.append(tally.protect(batch))
        if n_records == 0:
            sink.append(tally.protect(scan(job.source, **job.options).collect()))
    return sink.report


def _withhold_unless_safe(result: FileRun) -> None:
    if not result.holds:
        raise _WithheldError(result)


def _streamed(plan: pl.LazyFrame, roles: Roles) -> LazyTable:
    """A file that is counted by reading through it, with those roles whose columns it has."""
    return LazyTable(plan, roles.without(set(roles.named) - set(plan.collect_schema().names())))


class _Tally:
    """Protects part after part, and adds up what the steps did and what it cost."""

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self.n_records = 0
        self._recipe = recipe
        self._seed = seed
        self._facts: list[Mapping[str, Any]] = [{} for _ in recipe.steps]
        self._lost: list[tuple[int, Score]] = []

    def protect(self, batch: pl.DataFrame) -> pl.DataFrame:
        """Apply every step to one part."""
        original = table = Table(batch, self._recipe.roles)
        for i, step in enumerate(self._recipe.steps):
            with self._recipe.beside_its_files():
                aimed = step.toward(self._recipe.require)
                outcome = apply_step(aimed, table, self._seed, i)
            self._facts[i] = step.merge_facts(self._facts[i], outcome.facts)
            table = outcome.table
        self._lost.append((batch.height, CellChanges().measure(original, table)))
        self.n_records += batch.height
        return refuse_undeclared(self._recipe, table.frame, original)

    @property
    def facts(self) -> tuple[StepFacts, ...]:
        """What each step did to all parts."""
        steps = zip(self._recipe.steps, self._facts, strict=True)
        return tuple(StepFacts(step.kind(), facts, step.perturbative) for step, facts in steps)

    def utility(self) -> Score:
        """Share of cells changed over all parts: parts have the same columns, so rows weigh."""
        total = max(self.n_records, 1)
        parts = {
            name: sum(rows * score.parts[name] for rows, score in self._lost) / total
            for name in ("changed_share", "suppressed_share", "removed_share")
        }
        return Score(measure="cell_changes", value=sum(parts.values()), parts=parts)
