"""FileEngine: rows of a file, read part by part and counted without being kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import InputError, InternalError
from microveil.files import batches, scan
from microveil.methods import Method, Synthesize
from microveil.methods.parts.streams import Chance
from microveil.planning.counting import CountedFile, plain_parquet
from microveil.planning.course import Course
from microveil.planning.methods.synthesize import draw_rows, draws_rows
from microveil.planning.plan import State, StepPlan
from microveil.progress import Progress, silent
from microveil.tables import Roles, Table
from microveil.tables.table import Counted, count_distinct_rows
from microveil.texts import phrase

PART = 200_000
"""Rows of a part."""
HEAD = 1000


@dataclass(frozen=True, eq=False)
class FileEngine:
    """A CSV, Parquet or JSON lines file, or a folder of the first two."""

    source: str | Path
    roles: Roles
    options: Mapping[str, Any]
    """How it is read."""
    seed: int = field(repr=False)
    memory_limit: int
    """Bytes that may be used."""
    progress: Progress = silent
    folder: Path | None = None
    """Where columns that are sorted on disk, and rows that are drawn, may be put."""
    drawn: bool = False
    """Whether the rows are drawn from a model, so that they belong to nobody."""

    @property
    def holds_rows(self) -> bool:
        """A file has an order."""
        return True

    @cached_property
    def table(self) -> CountedFile:
        """The file as it is, to be counted."""
        return CountedFile(
            scan(self.source, **self.options),
            self.roles,
            plain_parquet(self.source, self.options),
            self.memory_limit // 2,
            self.memory_limit // 2,
            self.folder,
        )

    @cached_property
    def _head(self) -> pl.DataFrame:
        return scan(self.source, **self.options).head(HEAD).collect()

    def head(self) -> pl.DataFrame:
        """The first rows."""
        return self._head

    def parts(self, what: str = "rows") -> Iterator[tuple[int, pl.DataFrame]]:
        """The rows in order, with the number of each part; at least one part, maybe empty."""
        number, done = 0, 0
        for part in batches(self.source, PART, **self.options):
            self.progress(done, self.table.height, what)
            yield number, part
            number, done = number + 1, done + part.height
        if number == 0:
            yield 0, self._head

    def count_distinct(self, columns: Sequence[str], weight: str | None = None) -> Counted:
        """The distinct rows of some columns as they are in the file."""
        self.progress(0, 1, "counting")
        return self.table.count_distinct(columns, weight)

    def count_after(
        self, plans: Sequence[StepPlan], columns: Sequence[str], weight: str | None = None
    ) -> Counted:
        """The distinct rows of some columns after some plans; parts are counted and merged."""
        merged: Counted | None = None
        for table in self.tables(plans):
            found = count_distinct_rows(table.frame.lazy(), columns, weight)
            merged = found if merged is None else _add(merged, found, columns)
            self.table.refuse_many([merged.keys], columns)
        if merged is None:
            raise InputError("The file has no part to be counted.")
        return merged

    def n_rows(self) -> int:
        """Rows of the file."""
        return self.table.height

    def scratch(self) -> tuple[Path, int] | None:
        """The folder for temporary files, if there is one, and the memory for sorting."""
        return None if self.folder is None else (self.folder, self.memory_limit // 4)

    def gather(self, plans: Sequence[StepPlan], columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of all rows after some plans, in memory if the limit allows it."""
        width = sum(_bytes(self._head[name]) for name in columns if name in self._head.columns)
        self.may_hold(
            3 * width * self.table.height,
            phrase("{n_columns} columns of all rows", n_columns=len(columns)),
        )
        if not plans:
            return scan(self.source, **self.options).select(columns).collect(engine="streaming")
        return pl.concat(
            [table.frame.select(columns) for table in self.tables(plans)], how="vertical"
        )

    def fold(self, plans: Sequence[StepPlan], function: Callable[[Table], Floats]) -> Floats:
        """The sum of what a function makes of each part after some plans."""
        return np.asarray(np.sum([function(table) for table in self.tables(plans)], axis=0))

    def take_step(
        self, step: Method, course: Course, rng: np.random.Generator, *, unplanned: bool = False
    ) -> tuple[Course, Mapping[str, Any]] | None:
        """Only a step that draws new rows: they are put on disk, and the course goes on there."""
        if unplanned or not isinstance(step, Synthesize) or not draws_rows(step):
            return None
        if self.folder is None:
            raise InternalError("Rows were drawn, and there is no folder to put them.")
        drawn = draw_rows(step, course, rng)
        place = Path(mkdtemp(prefix="drawn", dir=self.folder))
        for number, block in enumerate(drawn.blocks):
            block.write_parquet(place / f"{number:06d}.parquet", row_group_size=1 << 17)
        after = replace(self, source=place, roles=drawn.roles, options={}, drawn=True)
        return Course(after, drawn.roles), drawn.facts

    def may_hold(self, n_bytes: float, what: str) -> None:
        """Raise if so much memory may not be used."""
        if n_bytes > self.memory_limit:
            raise InputError(
                "{what} would take about {needed:.1f} GiB of memory, more than the "
                "{allowed:.1f} GiB that may be used. Allow more by memory_limit, or use a "
                "step that is planned from counts.",
                what=what.capitalize(),
                needed=n_bytes / 2**30,
                allowed=self.memory_limit / 2**30,
            )

    def tables(self, plans: Sequence[StepPlan]) -> Iterator[Table]:
        """The parts after some plans, in the order of the rows."""
        states = [plan.start() for plan in plans]
        for number, part in self.parts("rows read again"):
            yield protect_part(plans, states, Table(part, self.roles), self.seed, number)[0]


def protect_part(
    plans: Sequence[StepPlan], states: Sequence[State], part: Table, seed: int, number: int
) -> tuple[Table, list[Mapping[str, Any]]]:
    """One part after some plans, and the facts of each; the random stream is that of the part."""
    # Where no plan leaves anything to chance, the part's fingerprint is not worth its price.
    by_chance = any(plan.opaque for plan in plans)
    chance = Chance.of(seed, part.frame, number) if by_chance else Chance(seed, b"")
    table, facts = part, []
    for plan, state in zip(plans, states, strict=True):
        outcome = plan.protect(table, chance.stream(plan.step, plan.position), state)
        table = outcome.table
        facts.append(outcome.facts)
    return table, facts


def _add(first: Counted, second: Counted, columns: Sequence[str]) -> Counted:
    keys = pl.concat([first.keys, second.keys], how="vertical_relaxed")
    weights = None
    if first.weights is not None and second.weights is not None:
        weights = pl.concat([pl.Series(first.weights), pl.Series(second.weights)]).to_numpy()
    counts = pl.concat([pl.Series(first.counts), pl.Series(second.counts)]).to_numpy()
    return Counted(keys, counts, weights).of(columns)


def _bytes(column: pl.Series) -> float:
    """Bytes of a cell in memory, estimated from the first rows."""
    return column.estimated_size() / max(len(column), 1)
