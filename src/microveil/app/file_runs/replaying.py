"""Replaying: all rows before and after a run in parts, where memory holds both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.planning import FileEngine, StepPlan
from microveil.planning.cost_estimate import memory_with_rows
from microveil.planning.files import protect_part
from microveil.recipes import Recipe
from microveil.tables import Table


def rows_before_and_after(
    engine: FileEngine, plans: Sequence[StepPlan], recipe: Recipe
) -> tuple[Table, Table] | None:
    """The original, and the protected table that knows its rows; None if that is too much.

    The parts are protected again by the same random streams, so they are those that were written.
    """
    try:
        engine.may_hold(memory_with_rows(engine), "all rows")
    except InputError:
        return None
    states = [plan.start() for plan in plans]
    before, after, rows, n_before = [], [], [], 0
    for number, part in engine.parts("rows compared"):
        table = Table(part, recipe.roles)
        with recipe.beside_its_files():
            done, _ = protect_part(plans, states, table, engine.seed, number)
        own = np.arange(part.height, dtype=np.int64) if done.rows is None else done.rows
        before.append(part)
        after.append(done)
        rows.append(own + n_before)
        n_before += part.height
    original = Table(pl.concat(before, how="vertical_relaxed"), recipe.roles)
    frame = pl.concat([one.frame for one in after], how="vertical_relaxed")
    kept = np.concatenate(rows)
    people = None if original.people is None else original.people[kept]
    entity = original.entity
    return original, Table(frame, after[0].roles, kept, people, entity=entity)
