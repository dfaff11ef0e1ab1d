"""Explain: what each step and each parameter of a recipe contributes, by leaving it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from microveil.app.advising.candidates import Candidate
from microveil.app.advising.draws import Draws
from microveil.app.advising.goal import Goal
from microveil.app.advising.judging import Judge
from microveil.app.advising.situation import Situation
from microveil.display import Card, Shown, grid
from microveil.errors import MicroveilError
from microveil.methods import Method
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.recipes.recipe import refuse_other
from microveil.tables import Door
from microveil.texts import Message

_SUBJECT = frozenset({"column", "columns", "k"})
"""What a step is about rather than how it works: without them it would be another step."""


@dataclass(frozen=True)
class Contribution:
    """One step or parameter: how the release would be without it."""

    step: int
    """Position of the step in the recipe, from 0."""
    method: str
    parameter: str | None
    """None for the whole step."""
    loss: float | None
    """Loss that it causes; negative if it saves some."""
    risk: float | None
    """Risk that it takes away."""
    holds_without: bool | None
    """Whether every requirement would be met without it; None if it could not be told."""
    problem: str = ""
    holds_with: bool | None = True
    """Whether the recipe as it is meets every requirement."""

    @property
    def name(self) -> str:
        """The step, and its parameter."""
        return self.method if self.parameter is None else f"{self.method}.{self.parameter}"

    def sentence(self) -> str:
        """What it contributes, in words."""
        told: dict[str, Any] = {"name": self.name, "loss": self.loss, "risk": self.risk}
        if self.loss is None or self.risk is None:
            return Message(
                "explain.no_release",
                "Without {name} no release can be made: {problem}",
                name=self.name,
                problem=self.problem,
            )
        if self.holds_without:
            return Message(
                "explain.not_needed",
                "{name} costs {loss:.3g} and takes {risk:.2%} of risk away; without it every "
                "requirement would be met all the same.",
                **told,
            )
        if not self.holds_with:
            return Message(
                "explain.broken_both",
                "{name} costs {loss:.3g} and takes {risk:.2%} of risk away; a requirement is "
                "broken with it and without it.",
                **told,
            )
        return Message(
            "explain.needed",
            "{name} costs {loss:.3g} and takes {risk:.2%} of risk away; without it a requirement "
            "would be broken.",
            **told,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "step": self.step,
            "method": self.method,
            "parameter": self.parameter,
            "loss": self.loss,
            "risk": self.risk,
            "holds_without": self.holds_without,
            "problem": str(self.problem),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Shown):
    """A recipe taken apart: the whole, and what each step and parameter contributes."""

    recipe: Recipe
    whole: Candidate
    contributions: tuple[Contribution, ...] = field(default=())

    def card(self) -> Card:
        """Loss and risk of the whole, then one row for each step and parameter."""
        rows = [
            (one.step, one.name, one.loss, one.risk, "yes" if one.holds_without else "no")
            for one in self.contributions
        ]
        heads = ("step", "what", "loss it causes", "risk it takes", "holds without")
        title = Message(
            "explain.title",
            "A recipe of {n} steps: loss {loss:.3g}, risk {risk:.2%}",
            n=len(self.recipe.steps),
            loss=self.whole.loss or 0.0,
            risk=self.whole.risk or 0.0,
        )
        return Card(title, (), (grid(heads, rows),) if rows else ())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        found = [one.to_dict() for one in self.contributions]
        return {"whole": self.whole.to_dict(), "contributions": found}


@shows_progress
def explain(
    recipe: Recipe,
    data: Any,
    goal: Goal | Mapping[str, Any] | str | None = None,
    *,
    seed: int | None = None,
    progress: Progress = silent,
) -> Explanation:
    """What each step and each parameter of a recipe contributes, by leaving it out.

    The recipe is run as it is, then without each step in turn, and with each parameter that is set
    and has a default at that default. Loss is measured as :func:`~microveil.advise` does; ``goal``
    says what must stay useful. All runs have the same seed.

    >>> from microveil.methods import LocalSuppression, Round
    >>> from microveil.tables import Roles
    >>> ages = {"age": [31, 32, 45, 47], "sex": ["f", "f", "m", "m"]}
    >>> made = Recipe(roles=Roles(quasi_identifiers=["age", "sex"]), steps=[
    ...     Round(columns=["age"], base=10), LocalSuppression(k=2)], require=[
    ...     {"model": "k_anonymity", "k": 2}])
    >>> [(one.name, one.holds_without) for one in explain(made, ages, seed=1).contributions]
    [('round', True), ('local_suppression', False)]
    """
    refuse_other(recipe)
    asked = Goal.of(goal).model_copy(update={"require": recipe.models + recipe.limits})
    here = Situation.of(Door(data).frame, recipe.roles, asked, recipe)
    judge = Judge(here, Draws.of(seed))
    full = len(judge.samples.shares) - 1
    whole = judge.judge(Candidate("", "", recipe), full)
    without = list(leave_out(recipe))
    found = []
    for number, (place, parameter, other) in enumerate(without):
        progress(number, len(without), recipe.steps[place].kind())
        one = judge.judge(Candidate("", "", other), full)
        found.append(_contribution(place, recipe.steps[place].kind(), parameter, whole, one))
    return Explanation(recipe, whole, tuple(found))


def leave_out(recipe: Recipe) -> Iterator[tuple[int, str | None, Recipe]]:
    """The recipe without each step, and with each parameter at its default."""
    for place, step in enumerate(recipe.steps):
        rest = (*recipe.steps[:place], *recipe.steps[place + 1 :])
        yield place, None, recipe.model_copy(update={"steps": rest})
        for parameter, plainer in _plainer(step):
            steps = (*recipe.steps[:place], plainer, *recipe.steps[place + 1 :])
            yield place, parameter, recipe.model_copy(update={"steps": steps})


def _plainer(step: Method) -> Iterator[tuple[str, Method]]:
    """The step with each of its set parameters left out, where it can be."""
    plain = step.to_dict()
    for name in plain:
        if name == step.tag or name in _SUBJECT:
            continue
        try:
            yield name, type(step).parse({key: one for key, one in plain.items() if key != name})
        except MicroveilError:
            continue


def _contribution(
    place: int, method: str, parameter: str | None, whole: Candidate, one: Candidate
) -> Contribution:
    known = None not in (whole.loss, whole.risk, one.loss, one.risk)
    return Contribution(
        place,
        method,
        parameter,
        (whole.loss or 0.0) - (one.loss or 0.0) if known else None,
        (one.risk or 0.0) - (whole.risk or 0.0) if known else None,
        one.holds,
        one.problem,
        whole.holds,
    )
