"""Advise: say the goal, get the recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microveil.app.advising.advice import Advice
from microveil.app.advising.candidates import Candidate
from microveil.app.advising.choosing import Offer, offers
from microveil.app.advising.draws import Draws
from microveil.app.advising.goal import Goal
from microveil.app.advising.judging import Judge
from microveil.app.advising.prices import prices, relaxations
from microveil.app.advising.reasons import reasons_for
from microveil.app.advising.refusing import (
    refuse_ceilings,
    refuse_nothing_asked,
    refuse_undeclared,
)
from microveil.app.advising.saving import Trials
from microveil.app.advising.search import Search
from microveil.app.advising.situation import Situation
from microveil.app.advising.work import Budget
from microveil.errors import MicroveilError
from microveil.methods.parts.streams import data_fingerprint
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.recipes.recipe import refuse_other
from microveil.tables import Door, Roles
from microveil.texts import Message


@shows_progress
def advise(  # noqa: PLR0913  what is asked, and how; all but the data have a default
    data: Any,
    roles: Roles | None = None,
    goal: Goal | Mapping[str, Any] | str | None = None,
    *,
    seconds: float = 60,
    seed: int | None = None,
    recipe: Recipe | None = None,
    work: float | None = None,
    resume: str | Path | None = None,
    progress: Progress = silent,
) -> Advice:
    """Search for recipes that reach a goal, and say why they were chosen.

    ``goal`` is a :class:`~microveil.Goal`, or an audience: ``public``, ``research``, ``internal``.
    Whole recipes are tried, from local suppression to synthesis: many on samples, the best on all
    records, then what is next to them. Three are offered, the most useful, the safest and the
    truest; each was run on all records with ``seed`` and meets every requirement, and
    ``run(recipe, data, seed=seed)`` makes the same release again. Attacks are repeated with
    targets that nothing was chosen by.

    The search is counted in ``work``, by default as much as ``seconds`` allow, so that the same
    seed gives the same answer on a busy machine; ``seconds`` only end it. ``resume`` is a folder
    where finished trials are kept and found again. With a ``recipe``, its roles, requirements and
    steps on other columns stay, and it is tried, too.

    >>> ages = {"age": [31, 32, 33, 45, 46, 47], "sex": list("ffmmff")}
    >>> found = advise(ages, Roles(quasi_identifiers=["age", "sex"]), Goal(
    ...     require=[{"model": "k_anonymity", "k": 3}]), seconds=5, seed=1)
    >>> found.holds, sorted(found.recipes)
    (True, ['safest', 'truest', 'useful'])
    """
    door, asked = Door(data), Goal.of(goal)
    if recipe is not None:
        refuse_other(recipe)
        roles = recipe.roles
        asked = asked.model_copy(update={"require": (*recipe.require, *asked.require)})
    budget = Budget.of(seconds, work)
    progress(0, budget.work, "look")
    here = Situation.of(door.frame, roles, asked, recipe, budget)
    draws = Draws.of(seed)
    refuse_nothing_asked(here)
    refuse_undeclared(here)
    refuse_ceilings(here, draws.attacking)
    judge = Judge(here, draws)
    check = int.from_bytes(data_fingerprint(here.frame)[:8]) ^ draws.attacking
    search = Search(judge, budget, Trials.open(resume, here, check), progress)
    search.run()
    return _advice(search, door, asked, recipe)


def _advice(search: Search, door: Door, goal: Goal, recipe: Recipe | None) -> Advice:
    """Confirm the best of each taste, and say why."""
    judge = search.judge
    here = judge.here
    tried = list(search.tried.values())
    if recipe is not None and recipe.steps:
        own = Candidate("", "", recipe.model_copy(update={"require": here.require}))
        tried.append(judge.judge(own, search.full))
    search.progress(search.budget.work, search.budget.work, "verify")
    found = offers(tried, lambda one: _confirm(judge, door, one), lambda: search.budget.over)
    plans = {id(one): plan for plan, one in search.tried.items()}
    why: dict[str, tuple[str, ...]] = {
        one.taste: tuple(
            reasons_for(plans.get(id(one.chosen_by)), one.chosen_by, search.tried, here)
        )
        for one in found
    }
    best = next((one.chosen_by for one in found if one.taste == "useful"), None)
    ranked = sorted(tried, key=lambda one: (one is not best, *one.rank))
    corner = next((one for one in tried if one.family == "as_it_is"), None)
    start = here.base.model_copy(update={"require": here.require, "roles": here.roles})
    return Advice(
        goal=goal,
        asked_for=start if recipe is None else recipe,
        candidates=tuple(ranked),
        offers=tuple(found),
        prices=prices(here.require, tried),
        relaxations=() if found else relaxations(tried),
        why=why,
        cautions=tuple(_cautions(search, found)),
        n_sampled=len(search.sampled),
        stopped=search.budget.stopped,
        original=None
        if corner is None or corner.risk is None or corner.loss is None
        else (corner.risk, corner.loss),
    )


def _confirm(judge: Judge, door: Door, one: Candidate) -> Offer | None:
    """The release with the caller's seed, judged by fresh draws; None if a ceiling is exceeded."""
    try:
        release = judge.made_release(one, door)
        if not release.holds:
            return None
        seen = judge.confirm(replace(one, recipe=release.recipe), release)
    except MicroveilError:
        return None
    return Offer("useful", seen, release, one) if seen.counts else None


def _cautions(search: Search, found: Sequence[Offer]) -> list[str]:
    """What a reader should know about the search."""
    told: list[str] = []
    if found and all(one.taste != "truest" for one in found):
        told.append(
            Message(
                "advise.none_true",
                "No recipe that leaves every value true meets the goal and is still of use, so "
                "that none is offered as the truest.",
            )
        )
    if found and search.judge.here.goal.epsilon is not None:
        told.append(
            Message(
                "advise.drawn_anew",
                "Noise for differential privacy is drawn anew in every run, whatever the seed: a "
                "run of a recipe makes another release, and spends epsilon once more. That the "
                "best of several generators was chosen by the data is not covered by epsilon.",
            )
        )
    if search.budget.stopped:
        told.append(
            Message(
                "advise.stopped",
                "The time was over before the work was done: give more seconds, or expect another "
                "answer on another day.",
            )
        )
    return told
