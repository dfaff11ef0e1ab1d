"""A run in parts: row-wise recipes on tables that need not fit in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import polars as pl

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.result import FileRun
from microveil.app.running import check_promises, opened
from microveil.app.steps import at, take_steps
from microveil.errors import InputError
from microveil.files import BatchWriter, ShuffledBatchWriter, WriteReport, batches, scan
from microveil.files.formats import shown
from microveil.files.placing import Placing
from microveil.files.sources import expanded, scanning
from microveil.files.writing import Terms
from microveil.methods.parts.streams import Chance, fresh_seed
from microveil.privacy import reached
from microveil.recipes import Recipe
from microveil.release.export_rules import leaving
from microveil.release.release import StepFacts
from microveil.release.verifying import verify
from microveil.risk import Assessment, assess_table
from microveil.scores import Score
from microveil.tables import LazyTable, Roles, Table
from microveil.utility import CellChanges

LARGE = 64 * 2**20
"""Files of at least this many bytes are processed in parts if the recipe allows it."""
BATCH = 200_000


def goes_in_parts(job: FileJob, *, wanted: bool | None) -> bool:
    """Whether to work in parts; an error if that is requested but impossible."""
    why = _why_not(job)
    if wanted and why is not None:
        raise InputError(f"This run cannot be done in parts: {why}.")
    if wanted is not None:
        return wanted
    path = expanded(job.source)
    return why is None and path.is_file() and path.stat().st_size >= LARGE


def _why_not(job: FileJob) -> str | None:
    """Why the run cannot be done in parts, in words."""
    whole_steps = [step.kind() for step in job.recipe.steps if not step.row_wise]
    if whole_steps:
        return f"step {', '.join(whole_steps)} needs the whole table"
    if job.recipe.limits:
        return "a requirement that limits a measure needs the whole table"
    if not (job.source_format.lazy and job.out_format.lazy):
        return "only CSV, Parquet and JSON lines are read and written in parts"
    if job.recipe.require and not _tells_people_apart(job.recipe):
        entity = job.recipe.roles.entity
        return f"people are counted by column '{entity}', and the file does not distinguish them"
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
    """Protect a file in parts; memory holds one part, and the classes."""
    with scanning(shown(job.source), job.source_format.title):
        return _run_in_parts(job)


def _run_in_parts(job: FileJob) -> FileRun:
    recipe = job.recipe
    check_promises(recipe)
    plan = scan(job.source, **job.options)
    with at("roles"):
        original = LazyTable(plan, recipe.roles)
    before = _assessed(job, original)
    tally = _Tally(recipe, fresh_seed(job.seed))
    try:
        with Placing() as placing:
            report, written = _write(job, tally, placing, before.n_records)
            # The file's own cells, with the names and types of the protected table.
            after = LazyTable(written, tally.roles)
            result = FileRun(
                checks=verify(recipe, after),
                facts=tally.facts,
                n_records=tally.n_records,
                n_suppressed=0,
                measured=_Measured(before, _assessed(job, after), tally.utility()),
                written=(report,),
                in_parts=True,
            )
            _withhold_unless(result, may_leave=result.holds and not job.dry_run)
    except _WithheldError as withheld:
        return withheld.result
    return result


def _withhold_unless(result: FileRun, *, may_leave: bool) -> None:
    if not may_leave:
        raise _WithheldError(replace(result, written=()))


def _assessed(job: FileJob, table: LazyTable) -> Assessment:
    more: dict[str, Any] = {"models": reached} if job.details else {}
    return assess_table(table, missing=job.recipe.reading, **more)


@dataclass(frozen=True, eq=False)
class _Measured:
    """Results computed while the file could still be read."""

    before: Assessment
    after: Assessment
    cell_changes: Score

    @cached_property
    def utility(self) -> Mapping[str, Score]:
        return {"cell_changes": self.cell_changes}

    def assess_before(self, *, models: bool) -> Assessment:  # noqa: ARG002  told already
        return self.before

    def assess_after(self, *, models: bool) -> Assessment:  # noqa: ARG002  told already
        return self.after


def _write(
    job: FileJob, tally: _Tally, placing: Placing, n_records: int
) -> tuple[WriteReport, pl.LazyFrame]:
    """Protect and append every part; return what was written, and a plan that reads it."""
    writer = BatchWriter if job.keep_order else ShuffledBatchWriter
    terms = Terms(placing, checked=True)
    with writer(job.out, terms=terms, **job.writing) as sink:
        for batch in batches(job.source, BATCH, **job.options):
            job.progress(tally.n_records, n_records, "rows")
            sink.append(tally.protect(batch))
        if tally.n_batches == 0:
            sink.append(tally.protect(scan(job.source, **job.options).collect()))
        job.progress(1, 1, "done")
    return sink.report, sink.written()


class _Tally:
    """Protects the parts one after another, and sums up what the steps did and cost."""

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self.n_records = 0
        self.n_batches = 0
        self.roles = recipe.roles
        """Roles of the columns that are released."""
        self._recipe = recipe
        self._seed = seed
        self._facts: list[Mapping[str, Any]] = [{} for _ in recipe.steps]
        self._lost: list[tuple[int, Score]] = []

    def protect(self, batch: pl.DataFrame) -> pl.DataFrame:
        """Apply every step to one part, which has its own random stream."""
        original = opened(self._recipe, Table(batch))
        taken = take_steps(self._recipe, original, Chance.of(self._seed, batch, self.n_batches))
        for i, (step, outcome) in enumerate(zip(self._recipe.steps, taken.outcomes, strict=True)):
            self._facts[i] = step.merge_facts(self._facts[i], outcome.facts)
        table = taken.table
        self._lost.append((batch.height, CellChanges().measure(original, table)))
        self.n_records += batch.height
        self.n_batches += 1
        may = leaving(self._recipe, table.columns, original)
        self.roles = _without(table.roles, may)
        return table.frame.select(may)

    @property
    def facts(self) -> tuple[StepFacts, ...]:
        """What each step did to all parts."""
        steps = zip(self._recipe.steps, self._facts, strict=True)
        return tuple(StepFacts(step.kind(), facts, step.perturbative) for step, facts in steps)

    def utility(self) -> Score:
        """Share of cells changed over all parts, weighted by rows, as all have the same columns."""
        total = max(self.n_records, 1)
        parts = {
            name: sum(rows * score.parts[name] for rows, score in self._lost) / total
            for name in ("changed_share", "suppressed_share", "removed_share")
        }
        return Score(measure="cell_changes", value=sum(parts.values()), parts=parts)


def _without(roles: Roles, leaving_columns: list[str]) -> Roles:
    return roles.without(set(roles.named) - set(leaving_columns))
