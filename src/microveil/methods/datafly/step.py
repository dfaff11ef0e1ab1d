"""Datafly: generalise the most varied key, level by level, and remove the few rare records left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Flags, Longs
from microveil.errors import GoalNotReachedError
from microveil.hierarchies import AnyHierarchy, HierarchyBuilder, Types, Unlisted
from microveil.labels.recoding import Recoding, at_any_level
from microveil.methods.datafly.roll_up import RollUp, Staircase, staircase
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.class_requirements import (
    Models,
    further_models,
    judge_of,
    keys_of,
    refuse_strangers,
    refuse_too_few,
)
from microveil.tables import Table
from microveil.tables.roles import Columns


class Datafly(Method):
    """Generalise the key with most distinct values until few records are rare; remove those.

    While more than k records are in classes that violate a requirement, the key with most distinct
    values is generalised by one level throughout (Sweeney 2002); ties go to the first. The at most
    k records left are then removed, unless they are all there are. Keys without a hierarchy are
    generalised by type: fewer digits, shorter text, months and years for days. A missing key is a
    value of its own until its column is ``*`` throughout. The result is deterministic. Each step
    merges the classes of the previous one, so records are read once unless there are models or an
    entity.

    >>> keys = {"a": [10, 10, 10, 19, 19, 19], "b": [10, 11, 21, 10, 11, 21]}
    >>> Datafly(k=2, columns=["a", "b"]).protect(keys).rows()
    [(10, '10'), (10, '10'), (19, '10'), (19, '10')]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("unlisted",)
    method: Literal["datafly"] = "datafly"
    k: int = Field(ge=2)
    """Smallest number of records (people, if the roles name an entity) in a class."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How the values of a key generalise, by column: a builder, the path of a file, or a ``tree``;
    by default according to the column's type."""
    models: Models = ()
    """Further privacy models that every class must satisfy, such as l-diversity."""
    max_suppressed: int | None = Field(default=None, ge=0)
    """Largest number of records that may be removed instead of generalising further; default k."""
    columns: Columns = ()
    """Keys; by default those of the roles."""
    unlisted: Unlisted = "error"
    """What happens to values that a hierarchy does not list: an error, or replacement by ``*``."""

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Generalise, then keep the records of classes that meet all requirements, in order."""
        return self._generalize(table, None)

    def recodes(self, name: str, values: pl.Series, counts: Longs) -> Recoding | None:
        """What each value becomes at any level: only the release shows which was chosen."""
        return at_any_level(self._builder(name), values, counts)

    def on_classes(self, table: Table, counts: Longs) -> Outcome | None:
        """The same on distinct rows, unless models or people ask for the records."""
        by_record = further_models(table, self.k, self.models)
        return None if by_record else self._generalize(table, counts)

    def _generalize(self, table: Table, counts: Longs | None) -> Outcome:
        names = keys_of(table, self.columns, self.kind())
        refuse_strangers(self.hierarchies, names, self.kind())
        if table.height == 0:
            return Outcome(table, _facts(dict.fromkeys(names, 0), 0, 0))
        n_records = table.height if counts is None else int(counts.sum())
        refuse_too_few(n_records, self.k, self.kind())
        stairs = [
            staircase(table.frame[name], self._builder(name), self.unlisted) for name in names
        ]
        rolled = RollUp.of(stairs, counts)
        n_steps = 0
        while (removed := self._classes_to_remove(table, rolled)) is None:
            column = _most_varied(rolled)
            if column is None:
                raise self._hopeless(n_records)
            rolled = rolled.generalize(column)
            n_steps += 1
        return self._outcome(table, stairs, rolled, removed, n_steps)

    def _builder(self, name: str) -> HierarchyBuilder:
        return self.hierarchies.get(name, Types())

    @property
    def _most(self) -> int:
        return self.k if self.max_suppressed is None else self.max_suppressed

    def _classes_to_remove(self, table: Table, rolled: RollUp) -> Flags | None:
        """Classes to remove so that the others satisfy all models; None if there are too many."""
        removed = rolled.counts < self.k
        models = further_models(table, self.k, self.models, self.columns)
        of_record = rolled.of_record() if models else None
        while rolled.counts[removed].sum() <= self._most and not removed.all():
            if of_record is None:
                return removed
            # Removal changes what the others are compared with, so repeat until nothing changes.
            kept = ~removed[of_record]
            judge = judge_of(table.filter(kept), models)
            broken = ~judge(of_record[kept], len(removed)) & ~removed
            if not broken.any():
                return removed
            removed = removed | broken
        return None

    def _hopeless(self, n_records: int) -> GoalNotReachedError:
        return GoalNotReachedError(
            "Even with every key generalised to '*', more than {most} of {n_records} records "
            "are in classes that violate a requirement of step 'datafly'. Ask for less, "
            "raise max_suppressed, or change the sensitive column first.",
            most=self._most,
            n_records=n_records,
        )

    def _outcome(
        self, table: Table, stairs: list[Staircase], rolled: RollUp, removed: Flags, n_steps: int
    ) -> Outcome:
        levels = {
            stair.name: level for stair, level in zip(stairs, rolled.levels.tolist(), strict=True)
        }
        changed = [
            stair.publish(table.frame[stair.name], level)
            for stair, level in zip(stairs, levels.values(), strict=True)
        ]
        generalized = table.with_columns(changed)
        kept = generalized.filter(~removed[rolled.of_record()]) if removed.any() else generalized
        return Outcome(kept, _facts(levels, int(rolled.counts[removed].sum()), n_steps))


def _facts(levels: Mapping[str, int], n_suppressed: int, n_steps: int) -> dict[str, Any]:
    return {"levels": dict(levels), "n_suppressed": n_suppressed, "n_iterations": n_steps}


def _most_varied(rolled: RollUp) -> int | None:
    """The key with most distinct values among those with a level left; None if there is none."""
    distinct = np.where(rolled.levels < rolled.heights, rolled.n_distinct(), 0)
    return int(distinct.argmax()) if distinct.any() else None
