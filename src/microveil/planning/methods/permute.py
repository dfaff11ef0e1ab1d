"""Permuting: rows sorted by lots, within their groups."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.methods import Permute
from microveil.planning.course import Course
from microveil.planning.methods.numbering import LOT, ROW, number_rows
from microveil.planning.moved_plan import MovedPlan
from microveil.planning.sorting import Sorter, StoredColumns, zip_frames


def plan_permutation(
    step: Permute, position: int, course: Course, sorter: Sorter, rng: np.random.Generator
) -> MovedPlan:
    """Draw a lot for each row and column, or one for all, and sort the values by it."""
    blocks = [step.columns] if step.together else [(name,) for name in step.columns]
    moved = tuple(_permute(step, block, course, sorter, rng) for block in blocks)
    read = (*step.columns, *step.within)
    return MovedPlan(step, position, read, moved, {"n_alone": _n_alone(step, course)})


def _permute(
    step: Permute, block: tuple[str, ...], course: Course, sorter: Sorter, rng: np.random.Generator
) -> StoredColumns:
    schema = pl.Schema({name: course.head.frame.schema[name] for name in block})
    stored = sorter.store(number_rows(course, [*block, *step.within], rng))
    values = [str(place) for place in range(len(block))]
    groups = [str(len(block) + place) for place in range(len(step.within))]
    by_lot = sorter.in_order(stored, values, [*groups, LOT])
    named = dict(zip(values, block, strict=True))
    if not groups:
        return sorter.keep((frame.rename(named) for frame in by_lot), schema)
    rows = sorter.in_order(stored, [ROW], [*groups, ROW])
    back = sorter.in_order(sorter.store(zip_frames(rows, by_lot)), values, [ROW])
    return sorter.keep((frame.rename(named) for frame in back), schema)


def _n_alone(step: Permute, course: Course) -> int:
    """Records that are alone in their group, or the only one."""
    if not step.within:
        return int(course.height() == 1)
    return int((course.count_distinct(step.within).counts == 1).sum())
