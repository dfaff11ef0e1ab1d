"""The tables that a run in parts writes: one, or several if a step splits the table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import polars as pl

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.part_store import PartStore
from microveil.app.file_runs.tally import Tally
from microveil.files import BatchWriter, ShuffledBatchWriter, WriteReport
from microveil.files.external_shuffle import buckets_for
from microveil.files.formats import part_target
from microveil.files.placing import Placing
from microveil.files.writing import Terms
from microveil.methods import Decompose
from microveil.planning import FileEngine
from microveil.planning.counting import CountedFile
from microveil.release.evidence import Evidence
from microveil.tables import LazyTable

Writer = BatchWriter | ShuffledBatchWriter


@dataclass(frozen=True, eq=False)
class Written:
    """Files that are complete, and not yet in their places; the data come first."""

    reports: tuple[WriteReport, ...]
    plans: tuple[pl.LazyFrame, ...]
    """Plans that read them: their own cells, in the types of the protected table."""

    def evidence(self, job: FileJob, tally: Tally) -> Evidence:
        """What requirements are checked on: the files, joined on their links if they have any."""
        main = self._counted(job, tally, self.plans[0], self.reports[:1])
        split = tally.split
        if split is None:
            return Evidence(main)
        joined = self.plans[0]
        groups = list(split.groups.values())[1:]
        for part, columns in zip(self.plans[1:], groups, strict=True):
            joined = joined.join(part.select(split.link, *columns), on=split.link, how="left")
        together = self._counted(job, tally, joined, ())
        return Evidence(together) if split.l is None else Evidence(main, together)

    @staticmethod
    def _counted(
        job: FileJob, tally: Tally, plan: pl.LazyFrame, files: Sequence[WriteReport]
    ) -> LazyTable:
        """A table to be counted; DuckDB counts a file that stores the types."""
        staged = [one.staged for one in files if job.out_format.name == "parquet" and one.staged]
        gone = set(tally.roles.named) - set(plan.collect_schema().names())
        half = job.memory_limit // 2
        folder = staged[0].parent if staged else None
        return CountedFile(plan, tally.roles.without(gone), tuple(staged), half, half, folder)


def write_parts(
    job: FileJob, engines: tuple[FileEngine, FileEngine], tally: Tally, placing: Placing
) -> Written:
    """Protect and append every part.

    ``engines`` are that of the source, and that whose rows are protected: the same, unless a step
    has drawn new ones.
    """
    source, engine = engines
    store = PartStore.of(job, source)
    with ExitStack() as open_files:
        sinks = _writers(job, engine, tally, placing)
        for sink in sinks:
            open_files.enter_context(sink)
        for number, part in engine.parts():
            done = None if tally.sequential else store.find(number, part)
            if done is None:
                done = tally.protect(part, number)
                store.keep(number, part, done)
            for sink, frame in zip(
                sinks, tables_of(tally.split, tally.add(part, done)), strict=True
            ):
                sink.append(frame)
    job.progress(1, 1, "done")
    store.remove()
    return Written(tuple(sink.report for sink in sinks), tuple(sink.read_back() for sink in sinks))


def tables_of(split: Decompose | None, rows: pl.DataFrame) -> list[pl.DataFrame]:
    """Rows as the tables they go to, the main one first."""
    if split is None:
        return [rows]
    return [split.main_of(rows), *split.parts_of(rows).values()]


def _writers(job: FileJob, engine: FileEngine, tally: Tally, placing: Placing) -> list[Writer]:
    terms, n_buckets = Terms(placing, checked=True), buckets_for(engine.n_rows())

    def open_shuffled(place: object, options: dict[str, object]) -> Writer:
        return ShuffledBatchWriter(place, n_buckets=n_buckets, terms=terms, **options)  # type: ignore[arg-type]

    names = [] if tally.split is None else list(tally.split.groups)[1:]
    # Further tables never keep the order: it would tell which row each of theirs belongs to.
    parts = [open_shuffled(*part_target(job.out, name, job.writing)) for name in names]
    if job.keep_order:
        return [BatchWriter(job.out, terms=terms, **job.writing), *parts]
    return [open_shuffled(job.out, dict(job.writing)), *parts]
