"""Find the best recipe: every candidate is tried, and the goal chooses among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from microveil.app.advising.candidates import Candidate, candidates
from microveil.app.advising.goal import Goal
from microveil.app.exploration.result import Exploration
from microveil.app.exploration.use_case import explore
from microveil.app.running import read_columns
from microveil.errors import InputError
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.tables import Door, Table
from microveil.texts import Message

RISK = "class_sizes.average_risk"
MANY = 200_000
"""Records from which candidates are tried one at a time, to save memory."""


@dataclass(frozen=True)
class Advice:
    """All candidates, the best one first among those that meet the requirements."""

    goal: Goal
    asked_for: Recipe
    """The recipe whose roles and requirements were asked for."""
    candidates: tuple[Candidate, ...]
    best: Candidate | None
    problem: str = ""
    """Why none is the best."""
    cautions: tuple[str, ...] = field(default=())

    def fits(self, recipe: Recipe) -> bool:
        """Whether roles and requirements of a recipe are still those that were asked for."""
        asked = self.asked_for
        same = recipe.roles == asked.roles and recipe.missing == asked.missing
        return same and (recipe.require == asked.require or not asked.require)


@shows_progress
def find_best(
    data: Any, recipe: Recipe, goal: Goal | None = None, *, progress: Progress = silent
) -> Advice:
    """Try recipes for the roles and requirements of a recipe, and choose the best by a goal.

    Steps of the recipe that touch no quasi-identifier stay. Every candidate is run on the whole
    table, and the best is the one with the least loss among those that meet every requirement.

    >>> from microveil.privacy import KAnonymity
    >>> from microveil.tables import Roles
    >>> roles = Roles(quasi_identifiers=["age"])
    >>> ages = {"age": [31, 32, 33, 45, 46, 47]}
    >>> find_best(ages, Recipe(roles=roles, require=[KAnonymity(k=3)])).best.holds
    True
    """
    goal = goal or Goal()
    frame = read_columns(recipe, Table(Door(data).frame)).frame
    tried = candidates(frame, recipe, goal)
    named = {f"{place}": one.recipe for place, one in enumerate(tried)}
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
    done = [_add_measures(one, found, place) for place, one in enumerate(tried)]
    best, problem = _best(done, found, goal)
    ranked = sorted(done, key=lambda one: (one is not best, *_rank(one)))
    return Advice(goal, recipe, tuple(ranked), best, problem, found.cautions)


def _rank(one: Candidate) -> tuple[bool, bool, float]:
    """Those that meet the requirements first, by their loss; those without figures last."""
    return not one.counts, one.risk is None or one.loss is None, one.loss or 0.0


def _add_measures(candidate: Candidate, found: Exploration, place: int) -> Candidate:
    point = found.points[place]
    risk, loss = point.value(found.risk[0]), point.value(found.utility[0])
    return replace(candidate, holds=point.holds, risk=risk, loss=loss, problem=point.problem or "")


def _best(
    done: Sequence[Candidate], found: Exploration, goal: Goal
) -> tuple[Candidate | None, str]:
    """The candidate with the least loss within the limits, or why there is none."""
    if not any(one.counts for one in done):
        none = Message(
            "app.none_candidates_meets_every",
            "None of the candidates meets every requirement. Relax one, or add steps.",
        )
        return None, none
    try:
        # A limit on risk makes utility decide: the requirements already say how safe is safe.
        chosen = found.best(
            max_risk=1.0 if goal.max_risk is None else goal.max_risk, max_loss=goal.max_loss
        )
    except InputError as error:
        return None, error.message
    return done[chosen.number], ""
