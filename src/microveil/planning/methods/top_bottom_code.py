"""Top and bottom coding: limits by share, and means beyond them, from the values of a column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.methods import Outcome, TopBottomCode
from microveil.methods.top_bottom_code import Ends
from microveil.planning.course import Course
from microveil.planning.plan import State, StepPlan
from microveil.tables import Table


@dataclass(frozen=True, eq=False)
class CodingPlan(StepPlan):
    """The limits of each column, and what stands for values beyond them."""

    ends: Mapping[str, Ends]

    @property
    def kind(self) -> str:
        """From counts."""
        return "from counts"

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:  # noqa: ARG002  no chance
        """Cut off what lies beyond."""
        step = self.step
        assert isinstance(step, TopBottomCode)  # noqa: S101  it was planned for
        return step.code(part, self.ends)


def plan_coding(step: TopBottomCode, position: int, course: Course) -> CodingPlan:
    """Count the values of each column; the limits are exact."""
    head = course.head
    step.code(head, {})  # raises for columns that are not there, or of another kind
    ends = {}
    for name in step.columns:
        if head.frame.schema[name] == pl.Null:
            continue
        found = course.count_distinct([name])
        course.engine.may_hold(24.0 * found.n_records, f"the values of column '{name}'")
        rows = pl.Series(np.repeat(np.arange(found.keys.height), found.counts))
        ends[name] = step.ends_of(found.keys[name].gather(rows))
    return CodingPlan(step, position, step.columns, ends)
