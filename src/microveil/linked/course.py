"""Course: the tables of a linked recipe on their way from steps to checks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from microveil.app.steps import StepsTaken
from microveil.arrays import Flags, Longs
from microveil.linked.owners import Relations
from microveil.linked.recipe import LinkedRecipe
from microveil.linked.view import Told, person_view
from microveil.recipes import Recipe
from microveil.release.export_rules import undecided_columns
from microveil.tables import Roles, Table


@dataclass(frozen=True, eq=False)
class Taken:
    """One table after its steps."""

    recipe: Recipe
    original: Table
    taken: StepsTaken
    helper: str | None
    """Column that tells people apart while the steps run, and does not leave."""

    def kept_rows(self) -> Flags:
        """Which rows of the original are still there."""
        flags = np.zeros(self.original.height, dtype=np.bool_)
        flags[rows_of(self.taken.table)] = True
        return flags

    def at(self, stay: Flags) -> StepsTaken:
        """The steps' result without the rows that do not stay."""
        table = self.taken.table
        here = stay if table.rows is None else stay[table.rows]
        return replace(self.taken, table=table.filter(here))

    def leaving(self, table: Table) -> list[str]:
        """Columns of a result that may leave, without the helper."""
        held_back = {self.helper, *undecided_columns(self.recipe, table.columns, self.original)}
        return [name for name in table.columns if name not in held_back]


def rows_of(table: Table) -> Longs:
    """The original's row of each row."""
    return np.arange(table.height) if table.rows is None else table.rows


@dataclass(frozen=True, eq=False)
class Course:
    """All tables after their steps, and which of their rows stay."""

    recipe: LinkedRecipe
    relations: Relations
    done: Mapping[str, Taken]
    stay: Mapping[str, Flags]

    def without(self, people: Flags) -> Course:
        """The same without some of the people who are left, and without what is theirs."""
        stay = {name: flags.copy() for name, flags in self.stay.items()}
        stay[self.relations.table][self.rows_left(self.relations.table)[people]] = False
        return replace(self, stay=self.relations.spread_removal(stay))

    def rows_left(self, name: str) -> Longs:
        """The original's rows that are left of a table, in the order in which they leave."""
        rows = rows_of(self.done[name].taken.table)
        return rows[self.stay[name][rows]]

    def released_columns(self, name: str, columns: Sequence[str]) -> Table:
        """Some columns of a table as they leave, if everything holds."""
        table = self.done[name].taken.table
        here = self.stay[name] if table.rows is None else self.stay[name][table.rows]
        frame = table.frame.select(columns)
        frame = frame if here.all() else frame.filter(here)
        return Table(frame, Roles(), self.rows_left(name))

    def view(self, completed: Mapping[str, Table] | None = None) -> Table:
        """One row for each person who stays; ``completed`` tables take the place of their own.

        Only what the view needs is gathered: no table is filtered as a whole.
        """
        full, told = dict(completed or {}), dict[str, Told]()
        for name in self.read():
            table = full.get(name, self.done[name].taken.table)
            rows = self.rows_left(name) if name in full else rows_of(table)
            one = Told.of(self.relations, name, table.frame, rows, self.stay)
            if one is not None:
                told[name] = one
        name = self.relations.table
        own = full[name].frame if name in full else self._own()
        return person_view(
            self.recipe.people, own, self.rows_left(name), told, self.hidden_columns()
        )

    def _own(self) -> pl.DataFrame:
        """What the table of people itself tells."""
        name = self.relations.table
        known = set(self.recipe.people.known_columns()).intersection(
            self.done[name].taken.table.columns
        )
        return self.released_columns(name, sorted(known)).frame

    def view_before(self) -> Table:
        """One row for each person of the original tables."""
        frames = {name: self.done[name].original.frame for name in self.read()}
        return view_of(self.recipe, self.relations, frames)

    def hidden_columns(self) -> set[str]:
        """Known columns that do not leave: a step has dropped what they are made of."""
        found = set()
        for name, (table, columns) in self.recipe.people.sources().items():
            if table not in self.done:
                continue
            one = self.done[table]
            may = one.leaving(one.taken.table)
            if any(each in one.original.columns and each not in may for each in columns):
                found.add(name)
        return found

    def read(self) -> set[str]:
        """The tables that the view is made of."""
        named = {table for table, _ in self.recipe.people.sources().values()}
        return {self.relations.table, *named.intersection(self.done)}


def view_of(
    recipe: LinkedRecipe,
    relations: Relations,
    frames: Mapping[str, pl.DataFrame],
    gone: Collection[str] = (),
) -> Table:
    """The view of everybody in tables none of whose rows is missing."""
    told = {
        name: one
        for name, frame in frames.items()
        if (one := Told.of(relations, name, frame)) is not None
    }
    own = frames[relations.table]
    view = person_view(recipe.people, own, np.arange(own.height), told, gone)
    return Table(view.frame, view.roles)
