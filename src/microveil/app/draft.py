"""Draft: a release in the making, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from microveil.app.assessing import assess
from microveil.app.comparing import Comparison, compare
from microveil.app.effects import effect_of
from microveil.app.running import check_requirements, finish, read_by_recipe
from microveil.app.steps import Steps
from microveil.display import Card, Shown, grid
from microveil.errors import InputError
from microveil.files.columns.column_reading import Reading
from microveil.measures.choosing import Choice
from microveil.methods import Method
from microveil.methods.parts.streams import Chance
from microveil.pairs.alignment import since
from microveil.privacy import PrivacyModel
from microveil.progress import showing
from microveil.recipes import AcrossReleases, MeasureRequirement, Recipe
from microveil.release import Release
from microveil.release.verifying import verify
from microveil.risk import Assessment
from microveil.scores import Score
from microveil.tables import Door, Roles, Table
from microveil.texts import phrase


@dataclass(frozen=True, eq=False, repr=False)
class Draft(Shown):
    """A release in the making; each step returns a new draft and leaves the old one unchanged.

    >>> draft = Draft.start({"age": [31, 32], "sex": ["f", "f"]}, Roles(quasi_identifiers=["sex"]))
    >>> draft.risk().k
    2
    """

    recipe: Recipe
    _door: Door = field(repr=False)
    _states: tuple[Steps, ...] = field(repr=False)
    """The state before the first step, and after each."""
    _undone: tuple[tuple[Method, Steps], ...] = field(repr=False, default=())
    """Steps undone, the last one first; a new step clears them."""

    @classmethod
    def start(
        cls,
        data: Any,
        roles: Roles | None = None,
        *,
        reading: Reading | Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> Self:
        """Start with a data frame and the roles of its columns.

        ``reading`` says how columns are read that are still text: ``{"birth": "%d/%m/%Y"}``.
        """
        door = Door(data)
        said = Reading() if reading is None else Reading.parse(reading)
        recipe = Recipe(reading=said, roles=Table(door.frame, roles).roles)
        original = read_by_recipe(recipe, Table(door.frame))
        steps = Steps.start(recipe, original, Chance.of(seed, original.frame))
        return cls(recipe, door, (steps,))

    @property
    def original(self) -> Table:
        """The table that the draft started with."""
        return self._states[0].table

    @property
    def table(self) -> Table:
        """The table after the steps so far, not yet split: unchecked, for inspection."""
        return self._states[-1].table

    def apply(self, step: Method) -> Draft:
        """The draft with one more step.

        A step that searches for a goal and names none uses the requirements given so far; the
        recipe keeps them as the step's own, so that it repeats what was done here. A step that
        splits the table is tried now, and applied when the release is made.
        """
        if not isinstance(step, Method):
            raise InputError(_no_step(step))
        recipe = self.recipe.with_steps(step.toward(self.recipe.models, self.recipe.missing_keys))
        with showing(step.kind()):
            state = self._states[-1].with_recipe(recipe).take()
        return replace(self, recipe=recipe, _states=(*self._states, state), _undone=())

    def undo(self) -> Draft:
        """The draft without its last step; without steps, the draft itself."""
        if not self.recipe.steps:
            return self
        recipe = self.recipe.model_copy(update={"steps": self.recipe.steps[:-1]})
        undone = ((self.recipe.steps[-1], self._states[-1]), *self._undone)
        return replace(self, recipe=recipe, _states=self._states[:-1], _undone=undone)

    def redo(self) -> Draft:
        """The draft with the step that was last undone; without one, the draft itself.

        >>> from microveil.methods import Drop
        >>> draft = Draft.start({"age": [31, 32]}).apply(Drop(columns=["age"]))
        >>> len(draft.undo().recipe.steps), len(draft.undo().redo().recipe.steps)
        (0, 1)
        """
        if not self._undone:
            return self
        (step, state), *left = self._undone
        recipe = self.recipe.with_steps(step)
        return replace(self, recipe=recipe, _states=(*self._states, state), _undone=tuple(left))

    def require(self, *models: PrivacyModel | MeasureRequirement | AcrossReleases) -> Draft:
        """The draft with further requirements."""
        recipe = self.recipe.model_copy(update={"require": self.recipe.require + models})
        return replace(self, recipe=recipe)

    def risk(self) -> Assessment:
        """Disclosure risk of the current table."""
        return self.release().risk

    def assess(self, measures: Choice = "default") -> Assessment:
        """Disclosure risk of the current table, with measures and verdicts."""
        return assess(self.table, missing=self.recipe.missing_keys, measures=measures)

    def compare(self, earlier: Draft | None = None, measures: Choice = "default") -> Comparison:
        """Compare the current table with another state of the draft, or with the original.

        The draft whose steps the other one continues is the original of the comparison, whichever
        of the two is asked; of drafts that went different ways, ``earlier`` is. Rows are paired,
        missing keys treated and labels read by the recipe of the other one.
        """
        if earlier is None:
            return compare(self.original, self.table, recipe=self.recipe, measures=measures)
        first, second = (self, earlier) if _continues(earlier, self) else (earlier, self)
        before, after, linked = since(first.original, first.table, second.original, second.table)
        return compare(
            before,
            after,
            before.roles,
            aligned=None if linked else False,
            recipe=second.recipe,
            measures=measures,
        )

    def utility(self) -> Mapping[str, Score]:
        """What the steps so far cost."""
        return self.release().utility

    def card(self) -> Card:
        """Every step with k, unique records, risk and loss after it, without any records."""
        missing = self.recipe.missing_keys
        names = ["the original", *(step.kind() for step in self.recipe.steps)]
        effects = [
            effect_of(self.original, state.table, missing, recipe=self.recipe.after_steps(place))
            for place, state in enumerate(self._states)
        ]
        rows = [
            (name, one.n_records, one.k, one.n_unique, one.average_risk, one.loss)
            for name, one in zip(names, effects, strict=True)
        ]
        columns = ("after", "records", "k", "unique records", "average risk", "cells changed")
        n_steps = len(self.recipe.steps)
        title = f"Draft of a release: {n_steps} step{'' if n_steps == 1 else 's'} so far"
        lines = [*effects[-1].words(), *(repr(check) for check in verify(self.recipe, self.table))]
        return Card(title, tuple(lines), (grid(columns, rows),))

    def release(self) -> Release:
        """The release made by these steps; the same as running the recipe with the same seed."""
        check_requirements(self.recipe)
        taken = self._states[-1].with_recipe(self.recipe).finish()
        return finish(self.recipe, self._door, self.original, taken)


def _continues(draft: Draft, other: Draft) -> bool:
    """Whether its steps begin with those of another draft, and go on."""
    mine, theirs = draft.recipe.steps, other.recipe.steps
    return len(mine) > len(theirs) and mine[: len(theirs)] == theirs


def _no_step(value: object) -> str:
    """What to give instead of something that is no step."""
    if isinstance(value, type) and issubclass(value, Method):
        return phrase(
            "Give {kind} its parameters: apply({kind}(…)), not the class.", kind=value.__name__
        )
    return phrase(
        "A step is a method with its parameters, Drop(columns=[…]), not {kind}.",
        kind=type(value).__name__,
    )
