"""Candidates: recipes that may meet the requirements, tried out to find the best one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import polars as pl

from microveil.app import explore, inspect
from microveil.app.coarsening import climb, ladder_of
from microveil.app.exploration.axes import Wanted
from microveil.app.exploration.result import Exploration
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
from microveil.progress import Progress
from microveil.recipes import Recipe
from microveil.risk import acceptable_k
from microveil.tables import Table
from microveil.texts import Message
from microveil.web.project.plan import Plan

Proposal: TypeAlias = "tuple[str, str, list[Method]]"
LOSSES = ("generalization_loss", "cell_changes", "entropy_loss", "discernibility", "prediction")
"""Utility measures that the best recipe can be chosen by: all are losses between 0 and 1."""
RISK = "class_sizes.average_risk"
REMOVED_SHARES = (0.0, 0.05)
"""Shares of the records that a search may remove."""
RARE_SHARES = (0.02, 0.05, 0.2)
"""Shares of the records left in small classes when single cells or records are suppressed."""
STRONGER = (1, 2, 4)
"""Multiples of k to try where a limit on a measure may need more than k."""
MANY = 200_000
"""Records from which candidates are tried one at a time, to save memory."""
SEARCH_SECONDS = 15.0
"""Seconds that a single lattice search may take; the best so far is then used."""


@dataclass(frozen=True)
class Goal:
    """What the best recipe is chosen by, beside the requirements of the plan."""

    loss: str = LOSSES[0]
    """Utility measure to minimise."""
    target: str = ""
    """Column that models should predict, for the loss ``prediction``."""
    max_risk: float | None = None
    """Largest average risk."""
    max_loss: float | None = None
    """Largest loss."""
    k: int | None = None
    """k to require where the plan requires nothing yet."""

    @property
    def measure(self) -> Wanted:
        """The utility measure with its parameters."""
        if self.loss not in LOSSES:
            raise InputError("Choose what counts as loss from the list.")
        if self.loss != "prediction":
            return self.loss
        if not self.target:
            raise InputError(
                Message(
                    "app.choose_column_models_should",
                    "Choose the column that models should predict.",
                )
            )
        return {"name": self.loss, "target": self.target}


@dataclass(frozen=True)
class Candidate:
    """A plan that was tried, and how it did; no value of a record."""

    kind: str
    """The method that gives the candidate its name."""
    detail: str
    plan: Plan
    holds: bool | None = None
    """Whether every requirement is met; None if no release could be made."""
    risk: float | None = None
    loss: float | None = None
    problem: str = ""

    @property
    def counts(self) -> bool:
        """Whether it meets every requirement and could be measured."""
        return bool(self.holds) and self.risk is not None and self.loss is not None


@dataclass(frozen=True)
class Advice:
    """All candidates, the best one first among those that meet the requirements."""

    goal: Goal
    asked_for: Plan
    """The plan whose roles and requirements were asked for."""
    candidates: tuple[Candidate, ...]
    best: Candidate | None
    problem: str = ""
    """Why none is the best."""
    cautions: tuple[str, ...] = field(default=())

    def fits(self, plan: Plan) -> bool:
        """Whether roles and requirements are still those that were asked for."""
        asked = self.asked_for
        same = plan.roles == asked.roles and plan.missing == asked.missing
        return same and (plan.require == asked.require or not asked.require)


def find_best(frame: pl.DataFrame, plan: Plan, goal: Goal, progress: Progress) -> Advice:
    """Try every candidate for a plan and choose the best one by the goal."""
    tried = candidates(frame, plan, goal)
    named = {f"{place}": one.plan.recipe for place, one in enumerate(tried)}
    first, *others = named
    found = explore(
        frame,
        named[first],
        name=first,
        alternatives={name: named[name] for name in others},
        risk=RISK,
        utility=goal.measure,
        workers=1 if frame.height > MANY else None,
        progress=progress,
    )
    done = [_measured(one, found, place) for place, one in enumerate(tried)]
    best, problem = _best(done, found, goal)
    ranked = sorted(done, key=lambda one: (one is not best, *_rank(one)))
    return Advice(goal, plan, tuple(ranked), best, problem, found.cautions)


def _rank(one: Candidate) -> tuple[bool, bool, float]:
    """Those that meet the requirements first, by their loss; those without figures last."""
    return not one.counts, one.risk is None or one.loss is None, one.loss or 0.0


def _measured(candidate: Candidate, found: Exploration, place: int) -> Candidate:
    point = found.points[place]
    risk, loss = point.value(found.risk[0]), point.value(found.utility[0])
    return replace(candidate, holds=point.holds, risk=risk, loss=loss, problem=point.problem or "")


def _best(
    done: Sequence[Candidate], found: Exploration, goal: Goal
) -> tuple[Candidate | None, str]:
    """The candidate with the least loss within the limits, or why there is none."""
    if not any(one.counts for one in done):
        return None, Message(
            "app.none_candidates_meets_every",
            "None of the candidates meets every requirement. Relax one, or add steps.",
        )
    try:
        # A limit on risk makes utility decide: the requirements already say how safe is safe.
        chosen = found.best(
            max_risk=1.0 if goal.max_risk is None else goal.max_risk, max_loss=goal.max_loss
        )
    except InputError as error:
        return None, error.message
    return done[chosen.number], ""


def candidates(frame: pl.DataFrame, plan: Plan, goal: Goal) -> list[Candidate]:
    """Plans to try: the present one, and one per method and setting that may do better.

    Steps that touch no quasi-identifier stay; hierarchies that the plan has are used.
    """
    if not plan.roles.quasi_identifiers:
        raise InputError(
            Message(
                "app.say_page_roles_which",
                "Say on the page Roles which columns others may know: the keys.",
            )
        )
    wanted = plan if plan.require else plan.with_require([_default(frame, goal)])
    kept = _kept(Table(frame, plan.roles), wanted)
    tried = [Candidate("", "", wanted)] if wanted.recipe.steps else []
    for kind, detail, steps in _Proposals.of(frame, wanted.recipe).all():
        candidate = Candidate(kind, detail, Plan.of(kept.with_steps(*steps)))
        if all(candidate.plan != one.plan for one in tried):
            tried.append(candidate)
    return tried


def _default(frame: pl.DataFrame, goal: Goal) -> KAnonymity:
    return KAnonymity(k=goal.k or acceptable_k(frame.height))


def _kept(table: Table, plan: Plan) -> Recipe:
    """The recipe of the steps that leave the keys alone; names of people are dropped."""
    keys = {name for names in plan.roles.key_sets().values() for name in names}
    recipe = plan.recipe
    steps = [step for step in recipe.steps if not keys & set(step.touches(table))]
    touched = {name for step in steps for name in step.touches(table)}
    names = tuple(name for name in plan.roles.identifiers if name not in touched)
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
            yield from self._coarsened(self.k * times)
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

    def _coarsened(self, k: int) -> Iterator[Proposal]:
        """Columns coarsened one by one, then the rare cells or records suppressed."""
        keys = list(self.recipe.roles.quasi_identifiers)
        looked = inspect(self.frame.select(keys))
        ladders = [ladder_of(self.frame[name], looked[name], k) for name in keys]
        for share in RARE_SHARES:
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
