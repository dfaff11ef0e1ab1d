"""Steps: a recipe's steps taken one by one, each with its own random stream: the one loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from microveil.errors import ColumnError, at
from microveil.methods import Method, Outcome
from microveil.methods.parts.streams import Chance
from microveil.progress import Progress, listening_to_step, silent
from microveil.recipes import Recipe
from microveil.recipes.splits import check_splits
from microveil.tables import Table

__all__ = ["Steps", "StepsTaken", "at"]

BEYOND = (
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
    np.linalg.LinAlgError,
    OverflowError,
)
"""Errors of other libraries for cells that they cannot compute with."""


@dataclass(frozen=True, eq=False)
class StepsTaken:
    """The table after all steps, what each step did, and the other tables they made."""

    table: Table
    outcomes: tuple[Outcome, ...]
    """In the order of the recipe, with the table they started from instead of their own."""
    joined: Table | None = None
    """All tables joined on their links, if a step has split the table."""

    @property
    def whole(self) -> Table:
        """Every released column by record: the tables joined, if links allow it."""
        joined = self.joined
        return self.table if joined is None or joined.height != self.table.height else joined

    @property
    def parts(self) -> dict[str, pl.DataFrame]:
        """Further tables of the release, by name."""
        return _by_name(outcome.parts for outcome in self.outcomes)

    @property
    def secrets(self) -> dict[str, pl.DataFrame]:
        """Tables to keep separate, by name."""
        return _by_name(outcome.secrets for outcome in self.outcomes)


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps of a recipe on a table, taken one by one; every step gives a new state.

    A state may be kept, loaded again and continued: each step draws from its own random stream, so
    that it does the same whether those before it were taken now or earlier. A step that splits the
    table is only tried when its turn comes, and applied by :meth:`finish`, so that the others see
    the whole table, and what they remove or change is removed and changed in all of its parts.
    """

    recipe: Recipe
    original: Table
    chance: Chance
    table: Table
    """The table after the steps taken so far, not split."""
    outcomes: tuple[Outcome, ...] = ()
    """What the steps taken so far did, with the original instead of the tables they made, so that
    no intermediate table stays in memory."""

    def __post_init__(self) -> None:
        """Refuse a recipe that splits the table twice."""
        check_splits(self.recipe)

    @classmethod
    def start(cls, recipe: Recipe, original: Table, chance: Chance) -> Steps:
        """The state before the first step."""
        return cls(recipe, original, chance, original)

    @property
    def n_taken(self) -> int:
        """Number of steps taken; also the position of the next one."""
        return len(self.outcomes)

    @property
    def left(self) -> range:
        """Positions of the steps that are not yet taken."""
        return range(self.n_taken, len(self.recipe.steps))

    def with_recipe(self, recipe: Recipe) -> Steps:
        """The same state of a recipe that begins with the steps taken so far."""
        return replace(self, recipe=recipe)

    def take(self) -> Steps:
        """The state after the next step."""
        outcome = self._apply(self.n_taken, self.table)
        if self.recipe.steps[self.n_taken].splits:
            outcome = replace(outcome, table=self.table, parts={})
        return self._after(outcome)

    def skip(self) -> Steps:
        """The state in which the next step did nothing."""
        return self._after(Outcome(self.table))

    def until(self, position: int) -> Steps:
        """The state before the step at a position."""
        steps = self
        while steps.n_taken < position:
            steps = steps.take()
        return steps

    def finish(self, progress: Progress = silent) -> StepsTaken:
        """Take all steps that are left, those that split the table last."""
        steps, n_steps = self, len(self.recipe.steps)
        splits = [place for place, step in enumerate(self.recipe.steps) if step.splits]
        for place, position in enumerate(one for one in self.left if one not in splits):
            at_step = (self.n_taken + place, n_steps + 1, self.recipe.steps[position].kind())
            progress(*at_step)
            while steps.n_taken < position:
                steps = steps.skip()
            with listening_to_step(progress, *at_step):
                steps = steps.take()
        while steps.left:
            steps = steps.skip()
        table, joined, outcomes = steps.table, None, list(steps.outcomes)
        for position in splits:
            progress(n_steps - 1, n_steps + 1, self.recipe.steps[position].kind())
            outcome = self._apply(position, table)
            table, joined = outcome.table, outcome.joined
            outcomes[position] = replace(outcome, table=self.original, joined=None)
        return StepsTaken(table, tuple(outcomes), joined)

    def aimed_step(self, position: int) -> Method:
        """The step at a position, with the recipe's requirements as its goal if it names none."""
        return self.recipe.steps[position].toward(self.recipe.models, self.recipe.missing_keys)

    @contextmanager
    def within(self, position: int) -> Iterator[None]:
        """Within this block files are found beside the recipe, and errors name the step."""
        with self.recipe.beside_its_files(), at(f"steps.{position}.{self._kind(position)}"):
            yield

    def _kind(self, position: int) -> str:
        return self.recipe.steps[position].kind()

    def _after(self, outcome: Outcome) -> Steps:
        kept = replace(outcome, table=self.original, joined=None)
        return replace(self, table=outcome.table, outcomes=(*self.outcomes, kept))

    def _apply(self, position: int, table: Table) -> Outcome:
        step = self.recipe.steps[position]
        with self.within(position):
            try:
                return self.aimed_step(position).apply(table, self.chance.stream(step, position))
            except BEYOND as error:
                # Their messages may quote cells, so only the type is shown.
                raise ColumnError(
                    "The step cannot process these data ({kind}). Look for numbers, dates or "
                    "bytes beyond what its columns should hold, and convert them first.",
                    kind=type(error).__name__,
                ) from None


def _by_name(tables: Iterable[Mapping[str, pl.DataFrame]]) -> dict[str, pl.DataFrame]:
    """All steps' tables by name; a name that is taken gets its step's number."""
    named: dict[str, pl.DataFrame] = {}
    for position, some in enumerate(tables):
        for name, table in some.items():
            named[f"{name}_{position}" if name in named else name] = table
    return named
