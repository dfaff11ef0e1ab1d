"""Replaying: all rows before and after a run in parts, where memory holds both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.planning import FileEngine, StepPlan
from microveil.planning.cost_estimate import memory_with_rows
from microveil.planning.files import protect_part
from microveil.recipes import Recipe
from microveil.tables import Table


class KeptRows:
    """All rows before and after, kept part by part while they are written."""

    def __init__(self) -> None:
        self._parts: dict[int, tuple[pl.DataFrame, Table]] = {}

    def add(self, number: int, part: pl.DataFrame, done: Table) -> None:
        """Keep a part as it was, and as it is written."""
        self._parts[number] = part, done

    def of_all(self, n_rows: int) -> list[tuple[pl.DataFrame, Table]] | None:
        """The parts in their order; None if some are not here: a resumed run has them on disk."""
        found = [self._parts[number] for number in sorted(self._parts)]
        return found if sum(part.height for part, _ in found) == n_rows else None


def holds_all_rows(engine: FileEngine) -> bool:
    """Whether memory holds all rows, before and after."""
    try:
        engine.may_hold(memory_with_rows(engine), "all rows")
    except InputError:
        return False
    return True


def rows_before_and_after(
    engine: FileEngine,
    last: FileEngine,
    plans: Sequence[StepPlan],
    recipe: Recipe,
    kept: KeptRows | None = None,
) -> tuple[Table, Table] | None:
    """The original, and the protected table that knows its rows; None if that is too much.

    Parts that were not kept are protected again by the same random streams, so they are those that
    were written. ``last`` holds the rows that are protected: others than the source's, if a step
    drew them.
    """
    if not holds_all_rows(engine):
        return None
    done = None if kept is None else kept.of_all(last.n_rows())
    before, after, rows, n_before = [], [], [], 0
    for part, table in done or _protect_again(last, plans, recipe):
        own = np.arange(part.height, dtype=np.int64) if table.rows is None else table.rows
        before.append(part)
        after.append(table)
        rows.append(own + n_before)
        n_before += part.height
    frame = pl.concat([one.frame for one in after], how="vertical_relaxed")
    if last.drawn:
        before = [part for _, part in engine.parts("rows compared")]
    original = Table(pl.concat(before, how="vertical_relaxed"), recipe.roles)
    if last.drawn:
        return original, Table(frame, after[0].roles, synthetic=True)
    places = np.concatenate(rows)
    people = None if original.people is None else original.people[places]
    entity = original.entity
    return original, Table(frame, after[0].roles, places, people, entity=entity)


def _protect_again(
    engine: FileEngine, plans: Sequence[StepPlan], recipe: Recipe
) -> Iterator[tuple[pl.DataFrame, Table]]:
    states = [plan.start() for plan in plans]
    for number, part in engine.parts("rows compared"):
        table = Table(part, engine.roles)
        with recipe.beside_its_files():
            yield part, protect_part(plans, states, table, engine.seed, number)[0]
