"""NarrowPlan: a step applied to its own columns in memory, whose result is joined to the parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.methods import Method, Outcome
from microveil.planning.plan import State, StepPlan
from microveil.tables import Roles, Table
from microveil.texts import phrase


@dataclass(frozen=True, eq=False)
class NarrowPlan(StepPlan):
    """The changed columns of all rows, in memory; the other columns stay in the file."""

    changed: pl.DataFrame
    gone: tuple[str, ...]
    rows: Longs | None
    """Positions of the rows that stay, ascending; None if all do."""
    told: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """With its columns in memory."""
        return phrase("its columns in memory")

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the step reported about all records."""
        return self.told

    @property
    def opaque(self) -> bool:
        """Always: a row is identified by its position."""
        return True

    @property
    def removes(self) -> bool:
        """Whether rows are removed."""
        return self.rows is not None

    @property
    def sequential(self) -> bool:
        """Always."""
        return True

    def start(self) -> State:
        """Rows that came before: none."""
        return np.zeros(1, np.int64)

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:  # noqa: ARG002  chance had its say
        """Join the part's rows to the columns that were computed."""
        start = int(state[0])
        end = start + part.height
        state[0] = end
        if self.rows is not None:
            start, end = np.searchsorted(self.rows, [start, end]).tolist()
            part = part.take(self.rows[start:end] - (int(state[0]) - part.height))
        columns = self.changed.slice(start, end - start)
        return Outcome(part.drop(self.gone).with_columns(columns.iter_columns()))


def narrow_plan(
    step: Method,
    position: int,
    table: Table,
    rng: np.random.Generator,
) -> NarrowPlan:
    """Apply the step to a table of its own columns, and keep what it changed."""
    outcome = step.apply(table, rng)
    after = outcome.table
    rows = after.rows
    ordered = rows is None or bool((np.diff(rows) > 0).all())
    if after.synthetic or outcome.parts or outcome.secrets or not ordered:
        raise InputError(
            "Step '{kind}' makes new rows or further tables, which cannot be done in parts. "
            "Run the table whole.",
            kind=step.kind(),
        )
    before = table.frame if rows is None else table.frame[rows]
    changed = after.frame.select(
        name
        for name in after.columns
        if name not in table.columns or not _same(before[name], after.frame[name])
    )
    gone = tuple(name for name in table.columns if name not in after.columns)
    columns = tuple(table.columns)
    return NarrowPlan(step, position, columns, changed, gone, rows, outcome.facts)


def _same(before: pl.Series, after: pl.Series) -> bool:
    return before.dtype == after.dtype and bool(before.equals(after))


def roles_of(roles: Roles, columns: list[str]) -> Roles:
    """The roles of some columns."""
    return roles.without(set(roles.named) - set(columns))
