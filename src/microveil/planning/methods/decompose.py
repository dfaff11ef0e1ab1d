"""A table split in parts: every row gets its link, and who writes the rows splits them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.methods import Decompose, Outcome
from microveil.methods.parts.columns import usable_frame
from microveil.planning.course import Course
from microveil.planning.narrow import NarrowPlan
from microveil.planning.plan import State
from microveil.tables import Table
from microveil.texts import phrase

COPIES = 3
"""Copies of links, and of a sensitive column, that are in memory while they are drawn."""
LINK = 8
"""Bytes of a link."""


@dataclass(frozen=True, eq=False)
class LinkPlan(NarrowPlan):
    """The links of all rows, in memory; the columns that no table has are left out."""

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:
        """Put the links before the columns of all tables."""
        linked = super().protect(part, rng, state).table
        if not isinstance(self.step, Decompose):  # made below, for such a step
            return Outcome(linked)
        return Outcome(self.step.link_rows(linked, linked.frame[self.step.link]))


def plan_links(
    step: Decompose, position: int, course: Course, rng: np.random.Generator
) -> LinkPlan:
    """Draw the link of each row; with l, from the sensitive column of all rows."""
    head = course.head
    usable_frame(head, step.columns_named, step.kind())
    facts = step.describe(head.columns)
    n_rows = course.height()
    course.engine.may_hold(
        COPIES * LINK * n_rows, phrase("links of all rows, for step '{kind}'", kind=step.kind())
    )
    if step.l is None:
        rows = pl.DataFrame({step.link: np.zeros(n_rows, np.bool_)})
    else:
        rows = course.gather([list(step.groups.values())[1][0]]).frame
    link, sizes = step.draw_links(rows, rng)
    gone = step.leaves_out(head)
    told = {**facts, **sizes}
    return LinkPlan(step, position, tuple(head.columns), pl.DataFrame([link]), gone, None, told)
