"""Proposal: a recipe that was run and holds, what it costs, and why it was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from microveil.app.suggesting.losses import kept_share
from microveil.errors import quote
from microveil.recipes import Recipe
from microveil.release import Release
from microveil.texts import Message

MOSTLY = 0.995
"""Share of distinctions from which a column counts as kept."""


@dataclass(frozen=True)
class ColumnLoss:
    """What a recipe leaves of one quasi-identifier."""

    name: str
    kept: float
    """Share of the pairs of records that the column told apart and still does."""
    n_before: int
    """Distinct values."""
    n_after: int
    blanked_share: float
    """Share of the records whose cell is made missing."""

    @property
    def gone(self) -> bool:
        """Whether nothing is left of it."""
        return self.n_after <= 1 < self.n_before

    def sentence(self) -> str:
        """The loss in words."""
        if self.gone:
            return Message(
                "suggest.gone",
                "Column '{name}' is given up: with it, no combination of steps that were tried "
                "keeps more of the other columns.",
                name=self.name,
            )
        return Message(
            "suggest.kept",
            "Column '{name}' keeps {kept:.1%} of its distinctions: {before:,} values become "
            "{after:,}, and {blanked:.1%} of the cells are made missing.",
            name=self.name,
            kept=self.kept,
            before=self.n_before,
            after=self.n_after,
            blanked=self.blanked_share,
        )


@dataclass(frozen=True, eq=False)
class Proposal:
    """A recipe with the release that it makes of the table, and the losses by column."""

    recipe: Recipe
    release: Release
    columns: tuple[ColumnLoss, ...]
    """One for each quasi-identifier."""
    notes: tuple[str, ...] = ()
    """What was done beside coarsening, and why."""
    n_tried: int = 1
    """Recipes that were compared."""

    @property
    def loss(self) -> float:
        """Mean share of distinctions lost, over the quasi-identifiers."""
        lost = [1 - column.kept for column in self.columns]
        return sum(lost) / len(lost) if lost else 0.0

    @property
    def reasons(self) -> tuple[str, ...]:
        """What it costs, column by column, and how it was chosen."""
        told = [column.sentence() for column in self.columns if column.kept < MOSTLY]
        whole = [column.name for column in self.columns if column.kept >= MOSTLY]
        if whole:
            told.append(Message("suggest.whole", "Kept as it is: {names}.", names=quote(whole)))
        if self.n_tried > 1:
            told.append(
                Message(
                    "suggest.chosen",
                    "Chosen among {n:,} recipes that were tried as the one that keeps most.",
                    n=self.n_tried,
                )
            )
        return (*self.notes, *told)


def losses_of(before: pl.DataFrame, after: pl.DataFrame, keys: Sequence[str]) -> list[ColumnLoss]:
    """What is left of each key; a column that is not there any more is gone."""
    found = []
    for name in keys:
        old, new = before[name], after[name] if name in after.columns else None
        n_filled = 0 if new is None else len(new) - new.null_count()
        lost = 1 - n_filled / max(len(old) - old.null_count(), 1)
        n_after = 0 if new is None else new.drop_nulls().n_unique()
        found.append(
            ColumnLoss(
                name, kept_share(old, new), old.drop_nulls().n_unique(), n_after, max(lost, 0.0)
            )
        )
    return found
