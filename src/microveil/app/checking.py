"""Check a recipe before it runs: whether it is valid, and fits the data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microveil.app.running import check_requirements, read_by_recipe
from microveil.app.steps import Steps
from microveil.errors import GoalNotReachedError, InputError
from microveil.methods.parts.streams import Chance
from microveil.recipes import Recipe
from microveil.release.export_rules import leaving
from microveil.tables import Door, Table
from microveil.tables.kinds import is_nested

N_TRIED = 20_000
"""Number of records that the steps are tried on, about; those with rare cells are among them."""
N_VALUES = 1_000
"""Values of a column that are tried whatever the records."""


@dataclass(frozen=True)
class Fit:
    """Whether a recipe fits a table, and any problems."""

    problems: tuple[str, ...]
    """One sentence each, with the position in the recipe."""
    n_steps: int
    n_requirements: int

    @property
    def fits(self) -> bool:
        """Whether there are no problems."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "fits": self.fits,
            "problems": list(self.problems),
            "n_steps": self.n_steps,
            "n_requirements": self.n_requirements,
        }


def check(recipe: Recipe, data: Any = None) -> Fit:
    """Look for problems in a recipe: columns and their types, hierarchies, what may be released.

    Without data only the recipe is checked. Steps are tried on some of the records, and hierarchies
    on all values; nothing is released, and no requirement is evaluated.

    >>> recipe = Recipe.from_yaml("steps: [{method: drop, columns: [nmae]}]")
    >>> check(recipe, {"name": ["x"]}).problems
    ("steps.0.drop: No column 'nmae' in the data. Did you mean 'name'? Columns: name.",)
    """
    problems = tuple(_problems(recipe, data))
    return Fit(problems, len(recipe.steps), len(recipe.require))


def _problems(recipe: Recipe, data: Any) -> list[str]:
    try:
        check_requirements(recipe)
        if data is None:
            return []
        table = read_by_recipe(recipe, Table(Door(data).frame))
        some = _choose_records(table)
        found = list(_problems_of_steps(recipe, some, table))
        if found and some.height < table.height:
            # What is wrong is counted in all records, as a run counts it.
            return list(_problems_of_steps(recipe, table, table))
    except InputError as error:
        return [error.message]
    return found


def _choose_records(table: Table) -> Table:
    """Records from the whole table, with whole people and households, and with rare cells."""
    if table.height <= N_TRIED:
        return table
    frame, roles = table.frame, table.roles
    groups = [frame[name] for name in (roles.household, roles.entity) if name is not None]
    size = max((table.height / max(ids.n_unique(), 1) for ids in groups), default=1)
    chosen = np.zeros(table.height, dtype=np.bool_)
    chosen[np.linspace(0, table.height - 1, max(int(N_TRIED / size), 1), dtype=int)] = True
    for column in frame.get_columns():
        chosen[_telling_rows(column)] = True
    for ids in groups:
        there = ids.filter(pl.Series(chosen)).drop_nulls().unique()
        chosen |= ids.is_in(there.implode()).fill_null(value=False).to_numpy()
    return table.filter(chosen)


def _telling_rows(column: pl.Series) -> list[int]:
    """Rows with a value each, a missing cell among them, and the extremes of numbers and times."""
    if is_nested(column.dtype):
        return []
    first = column.arg_unique()
    rows = first[np.linspace(0, len(first) - 1, min(len(first), N_VALUES), dtype=int)].to_list()
    if column.null_count():
        rows.append(column.is_null().arg_max())
    if column.dtype.is_numeric() or column.dtype.is_temporal():
        rows += [column.arg_min(), column.arg_max()]
    if column.dtype.is_float():
        rows.append((~column.is_finite()).fill_null(value=False).arg_max())
    return [row for row in rows if row is not None]


def _problems_of_steps(recipe: Recipe, some: Table, table: Table) -> Iterator[str]:
    """What is wrong with each step, tried on some of the records, and with what they release."""
    steps, sound = Steps.start(recipe, some, Chance.of(0, some.frame)), True
    for position in steps.left:
        problem, steps = _try(steps)
        problem = problem or _hierarchy_problem(recipe, position, table)
        if problem:
            sound = False
            yield problem
    if sound:  # otherwise a column may be there only because its step failed
        done = steps.finish()
        columns = [name for part in done.parts.values() for name in part.columns]
        yield from _undecided_problems(
            recipe, dict.fromkeys([*done.table.columns, *columns]), table
        )


def _undecided_problems(recipe: Recipe, columns: Iterable[str], table: Table) -> Iterator[str]:
    """What the recipe must say about a column before it may be released."""
    try:
        leaving(recipe, list(columns), table)
    except InputError as error:
        yield error.message


def _hierarchy_problem(recipe: Recipe, position: int, table: Table) -> str:
    """A hierarchy's error for all values of its column, if no earlier step changed them."""
    step = recipe.steps[position]
    column = getattr(step, "column", None)
    changed = {name for one in recipe.steps[:position] for name in one.touches(table)}
    if table.height <= N_TRIED or column is None or column in changed:
        return ""
    values = Table(table.frame.select(column).unique())
    steps = Steps.start(recipe, values, Chance.of(0, values.frame))
    while steps.n_taken < position:
        steps = steps.skip()
    return _try(steps)[0]


def _try(steps: Steps) -> tuple[str, Steps]:
    """What is wrong with the next step, if anything, and the state after it."""
    try:
        return "", steps.take()
    except GoalNotReachedError:
        return "", steps.skip()  # whether the goal can be reached shows only in the run
    except InputError as error:
        return error.message, steps.skip()
