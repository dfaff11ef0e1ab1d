"""Tally: protects part after part, and adds up the steps' facts and the loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from microveil.app.file_runs.replaying import KeptRows
from microveil.app.file_runs.rows_seen import RowsSeen
from microveil.app.running import read_by_recipe
from microveil.methods import Decompose
from microveil.planning import StepPlan
from microveil.planning.files import protect_part
from microveil.planning.plan import join_facts
from microveil.recipes import Recipe
from microveil.release.export_rules import leaving
from microveil.release.release import StepFacts
from microveil.scores import Score
from microveil.tables import Roles, Table
from microveil.utility import CellChanges

SHARES = ("changed_share", "suppressed_share", "removed_share")


@dataclass(frozen=True, eq=False)
class Done:
    """A protected part: the released rows and facts about them."""

    frame: pl.DataFrame
    facts: Sequence[Mapping[str, Any]]
    """Of each plan."""
    lost: Mapping[str, Any]
    """Share of cells changed, and by column the share unchanged; empty for rows that belong to
    nobody, and if people have several rows, which may be in other parts too."""
    roles: Roles
    tables: tuple[Table, Table] | None = None
    """Original and protected rows, if people have several."""


class Tally:
    """Protects parts according to plans, and adds up facts."""

    def __init__(
        self,
        recipe: Recipe,
        plans: Sequence[StepPlan],
        seed: int,
        told: Sequence[tuple[int, Mapping[str, Any]]] = (),
        *,
        drawn: bool = False,
        kept: KeptRows | None = None,
    ) -> None:
        """``told`` are facts of steps that were taken before; ``drawn`` rows belong to nobody.

        All rows are ``kept``, before and after, where something asks for them at the end.
        """
        self.kept = kept
        self.drawn = drawn
        splits = [step for step in recipe.steps if isinstance(step, Decompose)]
        self.split = splits[0] if splits else None
        """The step that splits the rows into tables."""
        self._told = told
        self.n_records = 0
        self.n_released = 0
        self.roles = recipe.roles
        """Roles of the released columns."""
        self.columns: list[str] = []
        """Released columns."""
        self.plans = plans
        self._recipe = recipe
        self._reading = recipe.model_copy(update={"expect": None})  # compared once, not by part
        self._seed = seed
        self._states = [plan.start() for plan in plans]
        self._facts: list[Mapping[str, Any]] = [{} for _ in plans]
        self._lost: list[tuple[int, Mapping[str, Any]]] = []
        self._seen = None if drawn or recipe.roles.entity is None else RowsSeen()

    @property
    def sequential(self) -> bool:
        """Whether a part depends on those before it: by its plans, or as rows repeat others."""
        return self._seen is not None or any(plan.sequential for plan in self.plans)

    def protect(self, part: pl.DataFrame, number: int) -> Done:
        """Apply every plan to one part, with its own random stream."""
        original = read_by_recipe(self._reading, Table(part))
        with self._recipe.beside_its_files():
            table, facts = protect_part(self.plans, self._states, original, self._seed, number)
        if self.kept is not None:
            self.kept.add(number, part, table)
        may = leaving(self._recipe, table.columns, original)
        roles = table.roles.without(set(table.roles.named) - set(may))
        if self._seen is not None:
            return Done(table.frame.select(may), facts, {}, roles, (original, table))
        if self.drawn:
            return Done(table.frame.select(may), facts, {}, roles)
        lost = CellChanges().measure(original, whole_of(self.split, table)).parts
        return Done(table.frame.select(may), facts, lost, roles)

    def add(self, part: pl.DataFrame, done: Done) -> pl.DataFrame:
        """Add up what was done to a part; return its released rows."""
        for i, plan in enumerate(self.plans):
            self._facts[i] = plan.merge_facts(self._facts[i], done.facts[i])
        self._lost.append(self._count_lost(part, done))
        self.n_records += part.height
        self.n_released += done.frame.height
        self.roles = done.roles
        self.columns = done.frame.columns
        return done.frame

    def _count_lost(self, part: pl.DataFrame, done: Done) -> tuple[int, Mapping[str, Any]]:
        """Rows of a part that repeat none of the same person, and what they lost."""
        if self._seen is None or done.tables is None:
            return part.height, done.lost
        original, table = done.tables
        new = self._seen.add(original, whole_of(self.split, table))
        return new.original.height, CellChanges().score(new.original, new.told_apart).parts

    @property
    def facts(self) -> tuple[StepFacts, ...]:
        """What each step did to all parts."""
        of_steps: list[Mapping[str, Any]] = [{} for _ in self._recipe.steps]
        for position, facts in self._told:
            of_steps[position] = join_facts(of_steps[position], facts)
        for plan, facts in zip(self.plans, self._facts, strict=True):
            of_steps[plan.position] = join_facts(of_steps[plan.position], facts)
        steps = zip(self._recipe.steps, of_steps, strict=True)
        return tuple(StepFacts(step.kind(), facts, step.perturbative) for step, facts in steps)

    @property
    def n_suppressed(self) -> int:
        """Records that were removed; none are said to be where others are drawn in their place."""
        return 0 if self.drawn else self.n_records - self.n_released

    def utility(self) -> Score | None:
        """Share of cells changed over all parts, weighted by the rows that count.

        None for rows that belong to nobody.
        """
        if self.drawn:
            return None
        total = max(sum(rows for rows, _ in self._lost), 1)
        shares = [(rows / total, lost) for rows, lost in self._lost]
        parts: dict[str, Any] = {
            name: sum(share * float(lost[name]) for share, lost in shares) for name in SHARES
        }
        parts["kept"] = {
            name: sum(share * float(lost["kept"][name]) for share, lost in shares)
            for name in (shares[-1][1]["kept"] if shares else ())
        }
        return Score(measure="cell_changes", value=sum(parts[name] for name in SHARES), parts=parts)


def whole_of(split: Decompose | None, linked: Table) -> Table:
    """What is released of each record: all tables joined, or with l the main one."""
    if split is None or split.l is None:
        return linked
    return linked.with_frame(split.main_of(linked.frame))
