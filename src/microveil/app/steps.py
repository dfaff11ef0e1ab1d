"""Steps: the one loop that applies a recipe's steps, each with its own random stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from microveil.errors import ColumnError, InputError, at
from microveil.methods import Method, Outcome
from microveil.methods.parts.streams import Chance
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.tables import Table

__all__ = ["StepsTaken", "at", "check_splits", "take_step", "take_steps"]

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


def take_steps(
    recipe: Recipe, table: Table, chance: Chance, progress: Progress = silent
) -> StepsTaken:
    """Apply every step of a recipe.

    A step that splits the table comes last, wherever it is listed, so that the others see the whole
    table, and what they remove or change is removed and changed in all of its parts.
    """
    check_splits(recipe)
    start, done, joined = table, dict[int, Outcome](), None
    for place, position in enumerate(_order(recipe.steps)):
        progress(place, len(recipe.steps) + 1, recipe.steps[position].kind())
        outcome = take_step(recipe, position, table, chance)
        table, joined = outcome.table, outcome.joined
        # Only facts and parts of a step are kept, so that no intermediate table stays in memory.
        done[position] = replace(outcome, table=start, joined=None)
    return StepsTaken(table, tuple(done[position] for position in sorted(done)), joined)


def take_step(recipe: Recipe, position: int, table: Table, chance: Chance) -> Outcome:
    """Apply the step at a position of a recipe, with its requirements as the default goal."""
    step = recipe.steps[position]
    with recipe.beside_its_files(), at(f"steps.{position}.{step.kind()}"):
        aimed = step.toward(recipe.models, recipe.missing_keys)
        try:
            return aimed.apply(table, chance.stream(step, position))
        except BEYOND as error:
            # Their messages may quote cells, so only the type is shown.
            raise ColumnError(
                f"The step cannot process these data ({type(error).__name__}). Look for numbers, "
                "dates or bytes beyond what its columns should hold, and convert them first."
            ) from None


def _order(steps: Sequence[Method]) -> list[int]:
    """Positions in the order of application: those that split the table at the end."""
    return sorted(range(len(steps)), key=lambda position: steps[position].splits)


def check_splits(recipe: Recipe) -> None:
    """Refuse a second split: joined with the first, its links would be unchecked."""
    splits = [position for position, step in enumerate(recipe.steps) if step.splits]
    if len(splits) > 1:
        step = recipe.steps[splits[1]]
        raise InputError(
            f"steps.{splits[1]}.{step.kind()}: a table is split once. List all of its tables in "
            f"one step."
        )


def _by_name(tables: Iterable[Mapping[str, pl.DataFrame]]) -> dict[str, pl.DataFrame]:
    """All steps' tables by name; a name that is taken gets its step's number."""
    named: dict[str, pl.DataFrame] = {}
    for position, some in enumerate(tables):
        for name, table in some.items():
            named[f"{name}_{position}" if name in named else name] = table
    return named
