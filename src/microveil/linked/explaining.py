"""Explain a linked recipe: what each step of each table contributes, by leaving it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from microveil.app.advising.explaining import Contribution, leave_out
from microveil.app.advising.goal import Goal
from microveil.app.advising.usefulness import Usefulness
from microveil.display import Card, Shown, grid
from microveil.errors import InputError, MicroveilError
from microveil.linked.recipe import LinkedRecipe
from microveil.linked.release import LinkedRelease
from microveil.linked.running import run_linked
from microveil.linked.table_set import TableSet
from microveil.measures.subject import Subject
from microveil.methods.parts.streams import fresh_seed
from microveil.progress import Progress, shows_progress, silent
from microveil.tables import standings
from microveil.texts import Message


@dataclass(frozen=True)
class LinkedContribution(Contribution):
    """One step or parameter of one of several tables: how the release would be without it."""

    table: str = ""
    """The table whose step it is; ``people`` for the removal of people."""

    @property
    def name(self) -> str:
        """The table, the step, and its parameter."""
        return ".".join(one for one in (self.table, self.method, self.parameter) if one)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"table": self.table, **super().to_dict()}


@dataclass(frozen=True, eq=False, repr=False)
class LinkedExplanation(Shown):
    """A linked recipe taken apart: the whole, and what each step and parameter contributes."""

    recipe: LinkedRecipe
    loss: float | None
    """What all tables lose, as a mean over their columns; None if no release could be made."""
    risk: float | None
    """Expected share of the people who are found by what is known over all tables."""
    holds: bool | None
    contributions: tuple[LinkedContribution, ...] = ()

    def card(self) -> Card:
        """Loss and risk of the whole, then one row for each step and parameter."""
        rows = [
            (one.name, one.loss, one.risk, "yes" if one.holds_without else "no")
            for one in self.contributions
        ]
        heads = ("what", "loss it causes", "risk it takes", "holds without")
        title = Message(
            "explain.linked_title",
            "A recipe of {n} linked tables: loss {loss:.3g}, risk of people {risk:.2%}",
            n=len(self.recipe.tables),
            loss=self.loss or 0.0,
            risk=self.risk or 0.0,
        )
        return Card(title, (), (grid(heads, rows),) if rows else ())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        found = [one.to_dict() for one in self.contributions]
        whole = {"loss": self.loss, "risk": self.risk, "holds": self.holds}
        return {"whole": whole, "contributions": found}


@shows_progress
def explain_linked(
    recipe: LinkedRecipe,
    tables: TableSet | Mapping[str, Any],
    *,
    seed: int | None = None,
    progress: Progress = silent,
) -> LinkedExplanation:
    """What each step and parameter of a linked recipe contributes, by leaving it out.

    The recipe is run as it is, then without each step of each table in turn, with each parameter
    that is set and has a default at that default, and without removing people (``suppress``). Loss
    is that of :func:`~microveil.explain`, over the columns of all tables; risk is that of people
    over all tables. All runs have the same seed.

    >>> tables = {"p": {"id": [1, 2, 3, 4], "age": [31, 32, 45, 47]}, "v": {"of": [1, 2, 3, 4]}}
    >>> recipe = LinkedRecipe.parse({
    ...     "tables": {"p": {"roles": {"quasi_identifiers": ["age"]}, "steps": [
    ...         {"method": "round", "columns": ["age"], "base": 20}]}, "v": {}},
    ...     "links": ["v.of -> p.id"],
    ...     "people": {"table": "p", "key": "id", "quasi_identifiers": ["age"],
    ...                "require": [{"model": "k_anonymity", "k": 2}]}})
    >>> found = explain_linked(recipe, tables, seed=1)
    >>> [(one.name, one.holds_without) for one in found.contributions]
    [('p.round', False)]
    """
    if recipe.synthesize is not None:
        raise InputError(
            "Synthetic tables are made without steps, so that none can be left out. Explain the "
            "recipe without `synthesize`."
        )
    given = tables if isinstance(tables, TableSet) else TableSet(tables)
    secret, others = fresh_seed(seed), list(_without(recipe))
    whole = _try(recipe, given, secret)
    found = []
    for number, (of, other) in enumerate(others):
        progress(number, len(others), of.name)
        found.append(_compare(of, whole, _try(other, given, secret)))
    return LinkedExplanation(recipe, whole.loss, whole.risk, whole.holds, tuple(found))


class _Trial(NamedTuple):
    """How a recipe did."""

    loss: float | None
    risk: float | None
    holds: bool | None
    problem: str = ""


def _without(recipe: LinkedRecipe) -> Iterator[tuple[LinkedContribution, LinkedRecipe]]:
    """The recipe without each step, with each parameter at its default, and without removals."""
    for name, own in recipe.tables.items():
        for place, parameter, other in leave_out(own):
            kind = own.steps[place].kind()
            of = LinkedContribution(place, kind, parameter, None, None, None, table=name)
            yield of, recipe.model_copy(update={"tables": {**recipe.tables, name: other}})
    if recipe.people.suppress:
        people = recipe.people.model_copy(update={"suppress": False})
        of = LinkedContribution(0, "suppress", None, None, None, None, table="people")
        yield of, recipe.model_copy(update={"people": people})


def _try(recipe: LinkedRecipe, tables: TableSet, seed: int) -> _Trial:
    try:
        release = run_linked(recipe, tables, seed=seed)
        return _Trial(_loss(release), _risk(release), release.holds)
    except MicroveilError as error:
        return _Trial(None, None, None, error.message)


def _loss(release: LinkedRelease) -> float:
    """The mean loss of the columns of all tables that a release should keep."""
    losses: list[float] = []
    for one in release.releases.values():
        useful = Usefulness(Goal.of(None), one.original)
        if useful.columns and one.original.height:
            subject = Subject.made_by(one.recipe, one.original, one.table)
            losses += useful.loss(subject).columns.values()
    return float(np.mean(losses)) if losses else 0.0


def _risk(release: LinkedRelease) -> float:
    """Expected share of the people who are found, at worst over what may be known."""
    shown, before = release.view, release.view_before
    by_set = standings(shown, release.recipe.people.missing)
    kept = shown.height / max(before.height, 1)
    return kept * max((one.average_risk for one in by_set.values()), default=0.0)


def _compare(of: LinkedContribution, whole: _Trial, one: _Trial) -> LinkedContribution:
    if whole.loss is None or whole.risk is None or one.loss is None or one.risk is None:
        return replace(of, holds_without=one.holds, problem=one.problem, holds_with=whole.holds)
    return replace(
        of,
        loss=whole.loss - one.loss,
        risk=one.risk - whole.risk,
        holds_without=one.holds,
        holds_with=whole.holds,
    )
