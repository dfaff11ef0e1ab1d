"""Both tables on the driver, for limits on measures that compare records.

A number travels with each row through all steps, so that a released row is known to be the one it
was. It never leaves: the release is made of the frame without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.errors import InputError, InternalError, NotOnSparkError
from microveil.planning.cost_estimate import gib
from microveil.planning.methods.synthesize import draws_rows
from microveil.recipes import Recipe
from microveil.release.counted_limits import needing_rows, why_not
from microveil.spark.frames import head_of, tidy, to_polars
from microveil.spark.table import COPIES, KnownClasses, SparkTable
from microveil.spark.whole import number_rows
from microveil.tables import Roles, Table
from microveil.tables.names import free_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class NumberedRows:
    """A frame whose rows have numbers, which are kept."""

    frame: DataFrame
    number: str

    def bring_both(self, roles: Roles, released: SparkTable) -> tuple[Table, Table]:
        """The original and the released table, which knows its rows, on the driver."""
        before, after = _gather(self.frame, self.number), _gather(released.frame, self.number)
        places = before[self.number].to_numpy()
        numbers = after[self.number].to_numpy()
        rows = np.searchsorted(places, numbers).astype(np.int64)
        if len(np.unique(numbers)) != len(numbers) or not np.isin(numbers, places).all():
            raise InternalError("A step on Spark changed the numbers of rows.")
        original = Table(before.drop(self.number), roles)
        people = None if original.people is None else original.people[rows]
        types = {name: released.schema[name] for name in after.columns}
        frame = after.cast(types).drop(self.number)  # type: ignore[arg-type]
        return original, Table(frame, released.roles, rows, people, entity=original.entity)

    def strip(self, table: SparkTable) -> SparkTable:
        """The table without the numbers."""
        known = table.classes
        if known is not None and known.head is not None:
            known = KnownClasses(
                known.columns, known.count_distinct, known.head.drop(self.number, strict=False)
            )
        return SparkTable(table.frame.drop(self.number), table.roles, table.most_classes, known)


def number_if_compared(
    recipe: Recipe, frame: DataFrame, memory_limit: int, *, registered: bool = False
) -> NumberedRows | None:
    """The frame with numbers if a limit, or a registry, needs all rows; None if none does.

    Both tables must fit into the driver's memory. Rows that are drawn anew are no rows of anybody.
    """
    needing = needing_rows(recipe)
    if not (needing or registered) or draws_anew(recipe):
        return None
    head = head_of(frame)
    width = head.estimated_size() / max(head.height, 1)
    needed = 2 * COPIES * width * frame.count()
    if needed > memory_limit and not needing:
        raise InputError(
            f"A registry compares the people of both tables, which would take about {gib(needed)} "
            f"of the driver's memory, and {gib(memory_limit)} may be used. Allow more by "
            "memory_limit."
        )
    if needed > memory_limit:
        raise InputError(
            f"Measure '{needing[0].kind()}' compares records, for which both tables would take "
            f"about {gib(needed)} of the driver's memory, and {gib(memory_limit)} may be used. "
            "Allow more by memory_limit, or require a measure that counts classes."
        )
    number = free_name("microveil_number", frame.columns)
    return NumberedRows(number_rows(frame, number), number)


def refuse_without_rows(recipe: Recipe) -> None:
    """Refuse a limit that compares records where rows are drawn anew."""
    unfit = why_not(recipe) if draws_anew(recipe) else None
    if unfit is not None:
        raise NotOnSparkError(
            f"The Spark engine cannot check this requirement after such steps: {unfit}, or use "
            "--engine local."
        )


def draws_anew(recipe: Recipe) -> bool:
    """Whether a step draws new rows, which belong to nobody."""
    return any(draws_rows(step) for step in recipe.steps)


def counted_only(recipe: Recipe) -> Recipe:
    """The recipe without limits that compare records, which files in random order do not show."""
    needing = needing_rows(recipe)
    kept = tuple(
        one
        for one in recipe.require
        if not any(getattr(one, "spec", None) is spec for spec in needing)
    )
    return recipe.model_copy(update={"require": kept})


def _gather(frame: DataFrame, number: str) -> pl.DataFrame:
    return to_polars(frame.select(tidy(frame, list(frame.columns))).toArrow()).sort(number)
