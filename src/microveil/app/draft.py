"""Draft: a release in the making, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from microveil.app.assessing import assess
from microveil.app.comparing import Comparison, compare
from microveil.app.running import check_requirements, finish
from microveil.app.steps import StepsTaken, check_splits, take_step
from microveil.display import Card, Shown, grid
from microveil.errors import InputError
from microveil.measures.choosing import Choice
from microveil.methods import Method, Outcome
from microveil.methods.parts.streams import Chance
from microveil.privacy import PrivacyModel
from microveil.progress import showing
from microveil.recipes import MeasureRequirement, Recipe
from microveil.release import Release
from microveil.release.verifying import verify
from microveil.risk import Assessment
from microveil.scores import Score
from microveil.tables import Classes, Door, Missing, Roles, Table
from microveil.utility import CellChanges


@dataclass(frozen=True, eq=False, repr=False)
class Draft(Shown):
    """A release in the making; each step returns a new draft and leaves the old one unchanged.

    >>> draft = Draft.start({"age": [31, 32], "sex": ["f", "f"]}, Roles(quasi_identifiers=["sex"]))
    >>> draft.risk().k
    2
    """

    recipe: Recipe
    original: Table = field(repr=False)
    _door: Door = field(repr=False)
    _chance: Chance = field(repr=False)
    _outcomes: tuple[Outcome, ...] = field(repr=False, default=())
    _undone: tuple[tuple[Method, Outcome], ...] = field(repr=False, default=())
    """Steps undone, the last one first; a new step clears them."""

    @classmethod
    def start(cls, data: Any, roles: Roles | None = None, *, seed: int | None = None) -> Self:
        """Start with a data frame and the roles of its columns."""
        door = Door(data)
        original = Table(door.frame, roles)
        chance = Chance.of(seed, original.frame)
        return cls(Recipe(roles=original.roles), original, door, chance)

    @property
    def table(self) -> Table:
        """The table after the steps so far, not yet split: unchecked, for inspection."""
        return self._outcomes[-1].table if self._outcomes else self.original

    def apply(self, step: Method) -> Draft:
        """The draft with one more step.

        A step that searches for a goal and names none uses the requirements given so far; the
        recipe keeps them as the step's own, so that it repeats what was done here. A step that
        splits the table is tried now, and applied when the release is made.
        """
        if not isinstance(step, Method):
            raise InputError(_no_step(step))
        recipe = self.recipe.with_steps(step.toward(self.recipe.models, self.recipe.missing_keys))
        check_splits(recipe)
        with showing(step.kind()):
            outcome = take_step(recipe, len(self.recipe.steps), self.table, self._chance)
        if step.splits:
            outcome = replace(outcome, table=self.table, parts={}, joined=None)
        return self._with(recipe.steps[-1], outcome, ())

    def undo(self) -> Draft:
        """The draft without its last step; without steps, the draft itself."""
        if not self._outcomes:
            return self
        recipe = self.recipe.model_copy(update={"steps": self.recipe.steps[:-1]})
        undone = ((self.recipe.steps[-1], self._outcomes[-1]), *self._undone)
        return replace(self, recipe=recipe, _outcomes=self._outcomes[:-1], _undone=undone)

    def redo(self) -> Draft:
        """The draft with the step that was last undone; without one, the draft itself.

        >>> from microveil.methods import Drop
        >>> draft = Draft.start({"age": [31, 32]}).apply(Drop(columns=["age"]))
        >>> len(draft.undo().recipe.steps), len(draft.undo().redo().recipe.steps)
        (0, 1)
        """
        if not self._undone:
            return self
        (step, outcome), *left = self._undone
        return self._with(step, outcome, tuple(left))

    def _with(
        self, step: Method, outcome: Outcome, undone: tuple[tuple[Method, Outcome], ...]
    ) -> Draft:
        outcomes = (*self._outcomes, outcome)
        recipe = self.recipe.with_steps(step)
        return replace(self, recipe=recipe, _outcomes=outcomes, _undone=undone)

    def require(self, *models: PrivacyModel | MeasureRequirement) -> Draft:
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
        """Compare the current table with an earlier state, or with the original."""
        if earlier is None:
            return compare(self.original, self.table, recipe=self.recipe, measures=measures)
        if earlier.table.height == self.table.height:
            return compare(earlier.table, self.table.frame, self.table.roles, measures=measures)
        return compare(earlier.table, self.table.frame, self.table.roles, aligned=False)

    def utility(self) -> Mapping[str, Score]:
        """What the steps so far cost."""
        return self.release().utility

    def card(self) -> Card:
        """Every step with k, unique records, risk and loss after it, without any records."""
        tables = [self.original, *(outcome.table for outcome in self._outcomes)]
        names = ["the original", *(step.kind() for step in self.recipe.steps)]
        rows = [
            (name, *_state(self.original, table, self.recipe.missing_keys))
            for name, table in zip(names, tables, strict=True)
        ]
        columns = ("after", "records", "k", "unique", "average risk", "cells changed")
        n_steps = len(self.recipe.steps)
        title = f"Draft of a release: {n_steps} step{'' if n_steps == 1 else 's'} so far"
        lines = [repr(check) for check in verify(self.recipe, self.table)]
        return Card(title, tuple(lines), (grid(columns, rows),))

    def release(self) -> Release:
        """The release made by these steps; the same as running the recipe with the same seed."""
        check_requirements(self.recipe)
        return finish(self.recipe, self._door, self.original, self._taken())

    def _taken(self) -> StepsTaken:
        """Apply all steps, those that split the table last."""
        table, joined, outcomes = self.table, None, list(self._outcomes)
        for position, step in enumerate(self.recipe.steps):
            if step.splits:
                outcomes[position] = take_step(self.recipe, position, table, self._chance)
                table, joined = outcomes[position].table, outcomes[position].joined
        return StepsTaken(table, tuple(outcomes), joined)


def _state(original: Table, table: Table, missing: Missing) -> tuple[Any, ...]:
    """Records, k, unique records, average risk, and the share of cells that changed."""
    loss = CellChanges().measure(original, table).value
    if not table.roles.quasi_identifiers:
        return table.height, None, None, None, loss
    classes = Classes.of(table, missing=missing)
    n_unique = int(classes.counts[classes.sizes == 1].sum())
    risk = classes.n_classes / classes.n_records if classes.n_records else 0.0
    return table.height, classes.k, n_unique, risk, loss


def _no_step(value: object) -> str:
    """What to give instead of something that is no step."""
    if isinstance(value, type) and issubclass(value, Method):
        return f"Give {value.__name__} its parameters: apply({value.__name__}(…)), not the class."
    return f"A step is a method with its parameters, Drop(columns=[…]), not {type(value).__name__}."
