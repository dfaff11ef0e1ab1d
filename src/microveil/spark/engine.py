"""SparkEngine: rows of a Spark frame, counted and changed by the cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import InputError, NotOnSparkError
from microveil.methods import Drop, Method, Microaggregate, Mondrian
from microveil.methods.parts.streams import Chance
from microveil.planning import Course, StepPlan
from microveil.spark.applying import Starts, Work, add_partitions, apply_plans, fold_partitions
from microveil.spark.frames import tidy
from microveil.spark.table import BYTES_PER_CLASS, MOST_CLASSES, KnownClasses, SparkTable
from microveil.spark.whole import apply_whole
from microveil.tables import Roles, Table
from microveil.tables.table import Counted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_TALLIES = 50_000_000
"""Counts of classes by partition that the driver holds."""


@dataclass(frozen=True, eq=False)
class SparkEngine:
    """A Spark frame, whose rows have no order and never reach the driver."""

    frame: DataFrame
    roles: Roles
    seed: int = field(repr=False)
    memory_limit: int
    """Bytes of the driver that may be used."""
    classes: KnownClasses | None = None
    """The classes of some columns, if a step has counted them already."""
    _starts: dict[int, list[object]] = field(default_factory=dict, repr=False)

    @property
    def holds_rows(self) -> bool:
        """False: rows have no order here."""
        return False

    @cached_property
    def table(self) -> SparkTable:
        """The frame as it is, to be counted."""
        most = min(MOST_CLASSES, self.memory_limit // BYTES_PER_CLASS)
        return SparkTable(self.frame, self.roles, most, self.classes)

    def head(self) -> pl.DataFrame:
        """A few rows, for the columns and their types."""
        return self.table.head

    def count_distinct(self, columns: Sequence[str], weight: str | None = None) -> Counted:
        """The distinct rows of some columns as they are in the frame."""
        return self.table.count_distinct(columns, weight)

    def count_after(
        self, plans: Sequence[StepPlan], columns: Sequence[str], weight: str | None = None
    ) -> Counted:
        """The distinct rows of some columns after some plans, computed by the cluster."""
        course = Course(self, self.roles, tuple(plans))
        after = SparkTable(self.after(course), course.head.roles, self.table.most_classes)
        return after.count_distinct(columns, weight)

    def n_rows(self) -> int:
        """Rows of the frame."""
        return self.table.height

    def scratch(self) -> None:
        """None: rows are not sorted on one machine."""

    def tables(self, plans: Sequence[StepPlan]) -> Iterator[Table]:  # noqa: ARG002  refused
        """Refused: rows have no order."""
        raise self._refusal()

    def gather(self, plans: Sequence[StepPlan], columns: Sequence[str]) -> pl.DataFrame:  # noqa: ARG002  refused
        """Refused: rows stay where they are."""
        raise self._refusal()

    @staticmethod
    def _refusal() -> NotOnSparkError:
        return NotOnSparkError(
            "Columns of all rows do not come to one machine. Use --engine local."
        )

    def fold(self, plans: Sequence[StepPlan], function: Callable[[Table], Floats]) -> Floats:
        """The sum of what a function makes of each part after some plans."""
        return add_partitions(fold_partitions(self.frame, self.work(tuple(plans)), function))

    def may_hold(self, n_bytes: float, what: str) -> None:
        """Raise an error if the driver may not use so much memory."""
        if n_bytes > self.memory_limit:
            raise InputError(
                f"{what.capitalize()} would take about {n_bytes / 2**30:.1f} GiB of the driver's "
                f"memory, and {self.memory_limit / 2**30:.1f} GiB may be used. Allow more by "
                "memory_limit, or use optimal_generalization, which is planned from counts alone."
            )

    def after(self, course: Course) -> DataFrame:
        """The frame after the plans of a course."""
        if not course.plans:
            return self.frame
        if all(isinstance(plan.step, Drop) for plan in course.plans):
            return self.frame.select(tidy(self.frame, course.head.frame.columns))
        return apply_plans(self.frame, self.work(course.plans), course.head.frame)

    def work(self, plans: tuple[StepPlan, ...]) -> Work:
        """What workers need for some plans; rows are tallied first if their order matters."""
        starts: Starts = {}
        for place, plan in enumerate(plans):
            if plan.sequential:
                if id(plan) not in self._starts:
                    before = Work(plans[:place], self.roles, self.seed, dict(starts))
                    self._starts[id(plan)] = self._tally_partitions(plan, before)
                starts[place] = self._starts[id(plan)]
        return Work(plans, self.roles, self.seed, starts)

    def _tally_partitions(self, plan: StepPlan, before: Work) -> list[object]:
        """What each partition starts from, given how many rows of each class the others have."""

        def tally(table: Table) -> Floats:
            return plan.tally(table).astype(np.float64)

        found = fold_partitions(self.frame, before, tally)
        n_partitions = len(found)
        width = max((one.size for one in found), default=0)
        if n_partitions * width > MOST_TALLIES:
            raise InputError(
                f"{width} classes in {n_partitions} partitions are too many for the driver. "
                "Bring the frame to fewer partitions, or generalize further first."
            )
        tallies = np.zeros((n_partitions, width), np.int64)
        for number, one in enumerate(found):
            if one.size:
                tallies[number] = one.astype(np.int64)
        rng = Chance(self.seed, b"partitions").stream(plan.step, plan.position)
        return list(plan.starts(tallies, rng))

    def take_step(
        self,
        step: Method,
        course: Course,
        rng: np.random.Generator,
        *,
        unplanned: bool = False,
    ) -> tuple[Course, Mapping[str, Any]] | None:
        """The new course after a step that a cluster performs in its own way, and its facts.

        A step that no plan suits sees all rows of its columns on the driver.
        """
        if unplanned:
            frame, roles, facts = apply_whole(
                step, self.after(course), course.head, rng, self.may_hold
            )
            return self._from_here(frame, roles), facts
        found = self._in_blocks(step, course)
        if found is None:
            return None
        frame, classes, facts = found
        return self._from_here(frame, course.head.roles, classes), facts

    def _from_here(
        self, frame: DataFrame, roles: Roles, classes: KnownClasses | None = None
    ) -> Course:
        return Course(SparkEngine(frame, roles, self.seed, self.memory_limit, classes), roles)

    def _in_blocks(
        self, step: Method, course: Course
    ) -> tuple[DataFrame, KnownClasses | None, Mapping[str, Any]] | None:
        from microveil.spark.methods import first_cuts, microaggregate, mondrian

        head = course.head
        if isinstance(step, Microaggregate) and microaggregate.suits(step, head):
            frame = microaggregate.microaggregate_blocks(step, self.after(course), head, self.seed)
            return frame, None, {}
        if not isinstance(step, Mondrian) or not mondrian.suits(step, head):
            return None
        after = SparkTable(self.after(course), head.roles, self.table.most_classes)
        counts = after if any(plan.removes for plan in course.plans) else self.table
        if counts.height <= first_cuts.BLOCK:
            return None
        return mondrian.divide(step, after, head)
