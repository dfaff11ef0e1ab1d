"""Course: a table after the steps planned so far, counted without computing its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import InputError, quote
from microveil.methods import Method
from microveil.planning.narrow import roles_of
from microveil.planning.plan import StepPlan
from microveil.tables import Roles, Table
from microveil.tables.table import Counted


class Engine(Protocol):
    """Where the rows are, and how they are counted."""

    @property
    def holds_rows(self) -> bool:
        """Whether rows have an order, so that some of their columns can be loaded into memory."""

    def head(self) -> pl.DataFrame:
        """A few rows, for the columns and their types."""

    def count_distinct(self, columns: Sequence[str], weight: str | None = None) -> Counted:
        """The distinct rows of some columns as they are in the source."""

    def count_after(
        self, plans: Sequence[StepPlan], columns: Sequence[str], weight: str | None = None
    ) -> Counted:
        """The distinct rows of some columns after some plans, by a pass over the source."""

    def n_rows(self) -> int:
        """Rows of the source."""

    def scratch(self) -> tuple[Path, int] | None:
        """A folder for temporary files and memory for sorting; None if rows cannot be sorted."""

    def tables(self, plans: Sequence[StepPlan]) -> Iterator[Table]:
        """The parts after some plans, in the order of the rows."""

    def gather(self, plans: Sequence[StepPlan], columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of all rows after some plans, in their order."""

    def fold(self, plans: Sequence[StepPlan], function: Callable[[Table], Floats]) -> Floats:
        """The sum of what a function makes of each part after some plans."""

    def take_step(
        self, step: Method, course: Course, rng: np.random.Generator, *, unplanned: bool = False
    ) -> tuple[Course, Mapping[str, Any]] | None:
        """The new course after a step that the engine performs in its own way, and its facts.

        It is asked again, with ``unplanned``, about a step that no plan suits.
        """

    def may_hold(self, n_bytes: float, what: str) -> None:
        """Raise :class:`~microveil.errors.InputError` if so much memory may not be used."""


class TooManyClassesError(InputError):
    """A frequency table would not fit into memory."""

    def __init__(self, n_classes: int, columns: Sequence[str]) -> None:
        super().__init__(
            f"There are more than {n_classes:,} combinations of {quote(columns)}, too many for "
            "the memory that may be used. Generalize some of these columns row by row first, name "
            "fewer, or allow more memory."
        )


@dataclass(frozen=True, eq=False)
class Course:
    """A source, and the plans made for it so far."""

    engine: Engine
    roles: Roles
    plans: tuple[StepPlan, ...] = ()
    told: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    """Facts about steps before this course, each with the position of its step."""

    def behind(self, position: int, taken: tuple[Course, Mapping[str, Any]]) -> Course:
        """The course that starts after a step, with the facts of all steps so far."""
        course, facts = taken
        return replace(course, told=(*self.facts, (position, facts)))

    @property
    def facts(self) -> tuple[tuple[int, Mapping[str, Any]], ...]:
        """Facts of all steps so far, each with the position of its step."""
        return (*self.told, *((plan.position, plan.facts or {}) for plan in self.plans))

    def then(self, plan: StepPlan) -> Course:
        """The course with one more plan."""
        return replace(self, plans=(*self.plans, plan))

    @cached_property
    def head(self) -> Table:
        """A few rows after all plans: columns, types and roles as the next step finds them."""
        table = Table(self.engine.head(), self.roles)
        for plan in self.plans:
            table = plan.shape(table)
        return table

    def count_distinct(self, columns: Sequence[str], weight: str | None = None) -> Counted:
        """The distinct rows of some columns after all plans, and how often each occurs.

        They are counted in the source and then sent through the plans if equal rows have equal
        results; otherwise by a pass that sends every row through the plans.
        """
        needed = self._needed_columns(columns, weight)
        if needed is not None:
            try:
                found = self.engine.count_distinct(needed, weight)
            except TooManyClassesError:
                if not self.plans:
                    raise
            else:
                return self._through_plans(found, columns)
        return self.engine.count_after(self.plans, columns, weight)

    def height(self) -> int:
        """Number of rows after all plans."""
        if not any(plan.removes for plan in self.plans):
            return self.engine.n_rows()
        return sum(table.height for table in self.tables())

    def tables(self) -> Iterator[Table]:
        """The parts after all plans, in the order of the rows."""
        return self.engine.tables(self.plans)

    def gather(self, columns: Sequence[str]) -> Table:
        """Some columns of all rows after all plans, in memory."""
        frame = self.engine.gather(self.plans, columns)
        return Table(frame, roles_of(self.head.roles, list(columns)))

    def fold(self, function: Callable[[Table], Floats]) -> Floats:
        """The sum of what a function makes of each part after all plans."""
        return self.engine.fold(self.plans, function)

    def _needed_columns(self, columns: Sequence[str], weight: str | None) -> list[str] | None:
        """The source's columns that determine these; None if equal rows may end differently."""
        needed = set(columns)
        for plan in reversed(self.plans):
            if not plan.removes and needed.isdisjoint(plan.columns):
                continue
            if plan.opaque or weight in plan.columns:
                return None
            needed.update(plan.columns)
        names = self.engine.head().columns
        return [name for name in names if name in needed] if needed <= set(names) else None

    def _through_plans(self, found: Counted, columns: Sequence[str]) -> Counted:
        table = Table(found.keys, roles_of(self.roles, found.keys.columns))
        for plan in self.plans:
            if set(plan.columns) <= set(table.columns):
                table = plan.protect(table, np.random.default_rng(0), plan.start()).table
        rows = np.arange(found.keys.height) if table.rows is None else table.rows
        weights = None if found.weights is None else found.weights[rows]
        return Counted(table.frame, found.counts[rows], weights).of(columns)
