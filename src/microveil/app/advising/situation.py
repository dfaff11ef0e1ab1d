"""Situation: the table, its roles and the goal, and what both mean for the recipes to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from microveil.app.advising.blurring import blur_steps
from microveil.app.advising.families.units import Units, units_of
from microveil.app.advising.goal import Goal, Requirement
from microveil.app.advising.work import Budget
from microveil.app.coarsening import Ladder, ladder_of
from microveil.app.inspection import Inspection, inspect
from microveil.app.running import read_columns
from microveil.app.suggesting.attempt import Attempt
from microveil.app.suggesting.giveaways import Giveaways, Rungs
from microveil.app.suggesting.search import Search
from microveil.app.suggesting.use_case import clear_codes, n_people
from microveil.errors import InputError, MicroveilError
from microveil.hierarchies import HierarchyBuilder
from microveil.methods import Drop, Generalize, Method
from microveil.privacy import KAnonymity, PrivacyModel
from microveil.recipes import MeasureRequirement, Recipe
from microveil.release.deriving import gives_away
from microveil.tables import Roles, Table
from microveil.tables.kinds import is_number
from microveil.texts import Message

CATEGORIES = (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
ESTIMATED_CELLS = 4e7
"""Cells that estimates of good starts look at."""
USUAL_K = 5
"""Size of classes to begin with where only ceilings on measures are to be met."""
BLURRED_FOR = ("public", "research")
"""Audiences for whom measures that are unique in nearly every record are blurred."""


@dataclass(frozen=True, eq=False)
class Climbing(Attempt):
    """An attempt whose ladders follow given hierarchies, and leave some columns alone."""

    given: Mapping[str, HierarchyBuilder] = field(default_factory=dict)
    untouched: Sequence[str] = ()

    @cached_property
    def ladders(self) -> list[Ladder]:
        """The ways to coarsen each key."""
        return [self._ladder(name) for name in self.keys]

    def _ladder(self, name: str) -> Ladder:
        values = self.frame[name]
        if name in self.untouched:
            return Ladder(values, ())
        if name not in self.given:
            return ladder_of(values, self.looked[name], self.k, leave_out=True)
        builder = self.given[name]
        try:
            height = builder.build(values).height
        except MicroveilError:
            return ladder_of(values, self.looked[name], self.k, leave_out=True)
        steps = [
            Generalize(column=name, hierarchy=builder, level=level) for level in range(1, height)
        ]
        return Ladder(values, tuple(steps), leave_out=True)


@dataclass(frozen=True, eq=False)
class Situation:
    """What is known before the search: nothing here depends on what it tries."""

    frame: pl.DataFrame
    roles: Roles
    goal: Goal
    require: tuple[Requirement, ...]
    looked: Inspection
    base: Recipe
    """Reading, treatment of missing keys and steps on other columns that every recipe has."""
    budget: Budget = field(default_factory=lambda: Budget.of(60))
    """The work that is granted, for families that search by themselves."""

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame,
        roles: Roles | None,
        goal: Goal,
        base: Recipe | None,
        budget: Budget | None = None,
    ) -> Situation:
        """Look at a table; without roles, those that an inspection suggests."""
        looked = inspect(frame)
        if base is None:
            base = Recipe(reading=looked.reading, undeclared="drop")
        frame = read_columns(base, Table(frame)).frame
        roles = looked.roles if roles is None else Table(frame, roles).roles
        table = Table(frame, roles)
        goal.check_against(table)
        missing = goal.missing or base.missing
        base = base.model_copy(update={"roles": roles, "missing": missing})
        budget = Budget.of(60) if budget is None else budget
        found = cls(frame, roles, goal, goal.requirements(table), looked, base, budget)
        found.refuse_hopeless()
        return found

    @cached_property
    def table(self) -> Table:
        """The original as all recipes read it."""
        return Table(self.frame, self.roles)

    @cached_property
    def models(self) -> tuple[PrivacyModel, ...]:
        """Required privacy models."""
        return tuple(one for one in self.require if isinstance(one, PrivacyModel))

    @cached_property
    def others(self) -> tuple[PrivacyModel, ...]:
        """Required models other than k-anonymity."""
        return tuple(one for one in self.models if not isinstance(one, KAnonymity))

    @cached_property
    def limits(self) -> tuple[MeasureRequirement, ...]:
        """Required limits on measures."""
        return tuple(one for one in self.require if isinstance(one, MeasureRequirement))

    @cached_property
    def k(self) -> int:
        """The k that steps aim at: the largest of the models; a usual one for ceilings alone."""
        named = [getattr(one, "k", None) for one in self.models]
        least = 2 if self.models or not self.limits else USUAL_K
        return max([least, *(one for one in named if isinstance(one, int))])

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """All columns that an intruder may know."""
        return self.climbing.keys

    @cached_property
    def hidden_keys(self) -> tuple[str, ...]:
        """Keys that classes of records can hide: those that no other released column tells."""
        gone = {name for step in self.last for name in step.touches(self.table)}
        weight = () if self.roles.weight is None else (self.roles.weight,)
        shown = [n for n in (*self.contents, *self.roles.strata, *weight) if n not in gone]
        found = Giveaways(self.climbing.ladders, [self.frame[name] for name in shown])
        plain = tuple(0 for _ in self.keys)
        told = {name for place, name in enumerate(self.keys) if -1 in found.givers(place, plain)}
        return tuple(name for name in self.keys if name not in told - set(self.goal.untouched))

    @cached_property
    def without_told(self) -> tuple[Method, ...]:
        """The step that leaves out keys which classes cannot hide."""
        told = tuple(name for name in self.keys if name not in self.hidden_keys)
        return (Drop(columns=told),) if told else ()

    @cached_property
    def contents(self) -> tuple[str, ...]:
        """Released columns that are no keys."""
        roles = self.roles
        free = (*roles.sensitive, *roles.insensitive)
        fixed = {*self.keys, *self.goal.untouched, roles.entity, roles.household}
        return tuple(name for name in dict.fromkeys(free) if name not in fixed)

    def numbers_in(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those columns that hold numbers which are no codes, and may be changed."""
        return tuple(
            name
            for name in names
            if is_number(self.frame[name].dtype)
            and name not in self.goal.untouched
            and not self.looked[name].labelled
        )

    def categories_in(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those columns that hold categories, and may be changed."""
        return tuple(
            name
            for name in names
            if (
                self.frame[name].dtype.base_type() in CATEGORIES
                or (self.frame[name].dtype.is_integer() and self.looked[name].labelled)
            )
            and name not in self.goal.untouched
        )

    @cached_property
    def hierarchies(self) -> dict[str, HierarchyBuilder]:
        """Given hierarchies of the keys: those of the goal, then those of the recipe."""
        found = {**self.base.hierarchies, **self.goal.hierarchies}
        return {name: found[name] for name in self.keys if name in found}

    @cached_property
    def climbing(self) -> Climbing:
        """The ladders of the keys, and which columns give others away."""
        frame = self.frame
        for step in self.cleared:
            frame = step.protect(frame)
        named = {**self.base.hierarchies, **self.goal.hierarchies}
        return Climbing(
            frame, self.roles, self.looked, self.k, given=named, untouched=self.goal.untouched
        )

    @cached_property
    def rung_starts(self) -> list[Rungs]:
        """Rungs of the keys that estimates of their losses find, the most promising first."""
        search = Search(self.climbing.space, self.climbing.trial, most_cells=ESTIMATED_CELLS)
        return search.starts()

    @cached_property
    def units(self) -> tuple[Units | None, ...]:
        """The categories of each key that may be merged."""
        return units_of(self)

    @property
    def counts_levels(self) -> bool:
        """Whether the goal is judged by the levels that keys keep."""
        return (self.goal.loss or "").startswith("strategy_score")

    @cached_property
    def cleared(self) -> tuple[Method, ...]:
        """Steps that make codes of missing values missing, where an audience is to read them."""
        if self.base.steps or self.goal.audience is None:
            return ()
        found = clear_codes(self.looked, self.roles)
        return tuple(one for one in found if not set(one.columns) & set(self.goal.untouched))

    @cached_property
    def blurs_by_noise(self) -> bool:
        """Whether some exact values are blurred in a way that makes them wrong."""
        return any(step.perturbative for step in self.first(truly=False))

    def first(self, *, truly: bool) -> tuple[Method, ...]:
        """Steps that every recipe begins with: ids out, codes cleared, exact values blurred.

        ``truly``: blurred values are coarse, and none is wrong.
        """
        steps = [step for step in self.base.steps if not self._on_keys(step)]
        treated = {name for step in steps for name in step.touches(self.table)}
        ids = tuple(name for name in self.climbing.ids if name not in treated)
        dropped: list[Method] = [Drop(columns=ids)] if ids else []
        blurred: tuple[Method, ...] = ()
        may = not self.base.steps and self.goal.epsilon is None
        if may and self.goal.audience in BLURRED_FOR:
            found = self._blurs[truly or self.goal.truthful]
            free = set(self.goal.untouched)
            blurred = tuple(one for one in found if not free & set(one.touches(self.table)))
        return (*dropped, *steps, *self.cleared, *blurred)

    @cached_property
    def _blurs(self) -> dict[bool, tuple[Method, ...]]:
        args = (self.frame, self.looked, self.roles, self.k)
        return {truly: tuple(blur_steps(*args, truly=truly)) for truly in (False, True)}

    def _on_keys(self, step: Method) -> bool:
        return bool(set(self.keys) & set(step.touches(self.table)))

    @cached_property
    def last(self) -> tuple[Method, ...]:
        """Steps that every recipe ends with: ids of households and strata that tell a key out."""
        household = self.roles.household
        gone = set(self.climbing.ids) | set(self.base.keep)
        drawn = self.goal.epsilon is not None  # its columns are those that were declared
        linking = [] if drawn or household is None or household in gone else [household]
        telling = [
            name
            for name in (() if drawn else self.roles.strata)
            if name not in self.keys and any(gives_away(self.frame[name], k) for k in self._values)
        ]
        columns = tuple(dict.fromkeys((*linking, *telling)))
        treated = {name for step in self.base.steps for name in step.touches(self.table)}
        columns = tuple(name for name in columns if name not in treated)
        return (Drop(columns=columns),) if columns else ()

    @cached_property
    def _values(self) -> list[pl.Series]:
        return [self.frame[name] for name in self.keys]

    def recipe(self, steps: Sequence[Method], *, truly: bool = False) -> Recipe:
        """A whole recipe from the steps that a plan takes."""
        whole = (*self.first(truly=truly), *steps, *self.last)
        return self.base.model_copy(update={"steps": whole, "require": self.require})

    def refuse_hopeless(self) -> None:
        """Refuse a goal that no release of this table can reach."""
        people = n_people(self.table)
        wanted = [one.k for one in self.models if isinstance(getattr(one, "k", None), int)]  # type: ignore[attr-defined]  # just asked
        if not any(self.roles.key_sets().values()) and self.models:
            raise InputError("Name the quasi-identifiers first: the keys, which others may know.")
        ids = {*self.roles.identifiers, self.roles.entity, self.roles.household}
        if not set(self.roles.named) - ids:
            raise InputError(
                Message(
                    "advise.nothing_to_release",
                    "Every column with a role identifies people, so that nothing would be left to "
                    "release. Say which columns are quasi-identifiers, sensitive or insensitive.",
                )
            )
        if wanted and people < max(wanted):
            raise InputError(
                Message(
                    "advise.few_people",
                    "The table is about {n:,} people, fewer than k = {k}: nothing can give each of "
                    "them so many alike. Lower k, or release no table.",
                    n=people,
                    k=max(wanted),
                )
            )

    def to_dict(self) -> dict[str, Any]:
        """What determines the search beside the data."""
        return {"goal": self.goal.to_dict(), "base": self.base.to_dict()}
