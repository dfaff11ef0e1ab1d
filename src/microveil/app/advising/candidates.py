"""Candidates: recipes that may meet the requirements of another, one per method and setting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import polars as pl

from microveil.app.advising.goal import Goal
from microveil.app.coarsening import climb, ladder_of
from microveil.app.inspection.use_case import inspect
from microveil.app.suggesting import default_ground
from microveil.display import percent
from microveil.errors import InputError
from microveil.methods import (
    Drop,
    LocalRecoding,
    LocalSuppression,
    Method,
    Mondrian,
    OptimalGeneralization,
    SuppressRecords,
)
from microveil.privacy import KAnonymity, PrivacyModel
from microveil.recipes import Recipe
from microveil.tables import Table

Proposal: TypeAlias = "tuple[str, str, list[Method]]"
REMOVED_SHARES = (0.0, 0.05)
"""Shares of the records that a search may remove."""
RARE_RECORD_SHARES = (0.02, 0.05, 0.2)
"""Shares of the records left in small classes when single cells or records are suppressed."""
STRONGER = (1, 2, 4)
"""Multiples of k to try where a limit on a measure may need more than k."""
SEARCH_SECONDS = 15.0
"""Seconds that a single lattice search may take; the best so far is then used."""


@dataclass(frozen=True)
class Candidate:
    """A recipe to try, and how it did once it was tried; no value of a record."""

    kind: str
    """The method that gives the candidate its name."""
    detail: str
    """The settings that tell it from others of its method."""
    recipe: Recipe
    holds: bool | None = None
    """Whether every requirement is met; None if no release could be made."""
    risk: float | None = None
    loss: float | None = None
    problem: str = ""

    @property
    def counts(self) -> bool:
        """Whether it meets every requirement and could be measured."""
        return bool(self.holds) and self.risk is not None and self.loss is not None


def candidates(frame: pl.DataFrame, recipe: Recipe, goal: Goal) -> list[Candidate]:
    """Recipes to try: the present one, and one per method and setting that may do better.

    Steps that touch no quasi-identifier stay; hierarchies that the recipe has are used.
    """
    if not recipe.roles.quasi_identifiers:
        raise InputError("Name the quasi-identifiers first: the keys, which others may know.")
    if not recipe.require:
        recipe = recipe.model_copy(update={"require": (_default(frame, recipe, goal),)})
    kept = _keep_other_steps(Table(frame, recipe.roles), recipe)
    tried = [Candidate("", "", recipe)] if recipe.steps else []
    for kind, detail, steps in _Proposals.of(frame, recipe).all():
        candidate = Candidate(kind, detail, kept.with_steps(*steps))
        if all(candidate.recipe != one.recipe for one in tried):
            tried.append(candidate)
    return tried


def _default(frame: pl.DataFrame, recipe: Recipe, goal: Goal) -> KAnonymity:
    return KAnonymity(k=goal.k or default_ground(Table(frame, recipe.roles), goal.audience).k)


def _keep_other_steps(table: Table, recipe: Recipe) -> Recipe:
    """The recipe of the steps that leave the keys alone; names of people are dropped."""
    keys = {name for names in recipe.roles.key_sets().values() for name in names}
    steps = [step for step in recipe.steps if not keys & set(step.touches(table))]
    touched = {name for step in steps for name in step.touches(table)}
    names = tuple(name for name in recipe.roles.identifiers if name not in touched)
    first: list[Method] = [Drop(columns=names)] if names else []
    return recipe.model_copy(update={"steps": (*first, *steps)})


@dataclass(frozen=True)
class _Proposals:
    """Methods with their settings: a name, what tells it from others, and the steps."""

    frame: pl.DataFrame
    recipe: Recipe
    k: int
    others: tuple[PrivacyModel, ...]
    """Required models other than k-anonymity."""

    @classmethod
    def of(cls, frame: pl.DataFrame, recipe: Recipe) -> _Proposals:
        k = max((one.k for one in recipe.models if isinstance(one, KAnonymity)), default=2)
        others = tuple(one for one in recipe.models if not isinstance(one, KAnonymity))
        return cls(frame, recipe, k, others)

    def all(self) -> Iterator[Proposal]:
        """The quick ones first."""
        by_size = STRONGER if self.others or self.recipe.limits else STRONGER[:1]
        for times in by_size:
            yield from self._partitions(self.k * times)
            yield from self._propose_coarsening(self.k * times)
        # A search aims at the models itself; only limits on measures may need a larger k.
        for times in STRONGER if self.recipe.limits else STRONGER[:1]:
            yield from self._searches(self.k * times)

    def _aim(self, k: int) -> dict[str, Any]:
        keys = self.recipe.roles.quasi_identifiers
        own = {name: one for name, one in self.recipe.hierarchies.items() if name in keys}
        return {"k": k, "models": self.others, "hierarchies": own}

    def _partitions(self, k: int) -> Iterator[Proposal]:
        for mode in ("strict", "relaxed"):
            yield "mondrian", f"{mode}, k {k}", [Mondrian.parse(self._aim(k) | {"mode": mode})]

    def _propose_coarsening(self, k: int) -> Iterator[Proposal]:
        """Columns coarsened one by one, then the rare cells or records suppressed."""
        keys = list(self.recipe.roles.quasi_identifiers)
        looked = inspect(self.frame.select(keys))
        ladders = [ladder_of(self.frame[name], looked[name], k) for name in keys]
        for share in RARE_RECORD_SHARES:
            rungs = climb(ladders, k, share)
            steps = [one.usable[rung] for one, rung in zip(ladders, rungs, strict=True)]
            coarse = [step for step in steps if step is not None]
            if coarse:
                told = f"{percent(share)}, k {k}"
                yield "generalize", told, [*coarse, LocalSuppression(k=k)]
                yield "suppress_records", told, [*coarse, SuppressRecords(k=k)]
        yield "local_suppression", f"k {k}", [LocalSuppression(k=k)]

    def _searches(self, k: int) -> Iterator[Proposal]:
        for share in REMOVED_SHARES:
            aim = self._aim(k) | {"suppression_share": share}
            told = f"{percent(share)}, k {k}"
            yield "local_recoding", told, [LocalRecoding.parse(aim)]
            limited = aim | {"max_seconds": SEARCH_SECONDS}
            yield "optimal_generalization", told, [OptimalGeneralization.parse(limited)]
