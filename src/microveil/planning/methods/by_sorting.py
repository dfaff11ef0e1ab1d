"""Steps that move values among the rows: sorted on disk where the table is large."""

from __future__ import annotations

import numpy as np

from microveil.methods import Method, Permute, RankSwap, Shuffle
from microveil.planning.course import Course
from microveil.planning.methods import permute, rank_swap, shuffle
from microveil.planning.moved_plan import MovedPlan
from microveil.planning.sorting import Sorter, can_sort
from microveil.tables import Table

LARGE = 1_000_000
"""More rows than this are sorted on disk; fewer are held as the columns of the step alone."""


def by_sorting(step: Method, head: Table) -> bool:
    """Whether a step is planned by sorting on disk, if the table is large."""
    roles, schema = head.roles, head.frame.schema
    if not isinstance(step, Permute | RankSwap | Shuffle) or roles.household or roles.entity:
        return False
    named = [*step.columns, *getattr(step, "within", ()), *getattr(step, "given", ())]
    if any(name not in schema for name in named) or not can_sort(schema, named):
        return False
    if isinstance(step, Permute):
        return True
    if step.by_strata and roles.strata:
        return False
    return rank_swap.suits(step) if isinstance(step, RankSwap) else shuffle.suits(step)


def plan_by_sorting(
    step: Method, position: int, course: Course, rng: np.random.Generator
) -> list[MovedPlan] | None:
    """The plan of such a step; none for other steps, and for tables that are not large."""
    scratch = course.engine.scratch()
    if scratch is None or not by_sorting(step, course.head) or course.height() <= LARGE:
        return None
    sorter = Sorter(*scratch)
    if isinstance(step, Permute):
        return [permute.plan_permutation(step, position, course, sorter, rng)]
    if isinstance(step, RankSwap):
        return [rank_swap.plan_swaps(step, position, course, sorter, rng)]
    if isinstance(step, Shuffle):
        return [shuffle.plan_shuffle(step, position, course, sorter, rng)]
    return None
