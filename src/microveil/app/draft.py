"""Draft: a release in the making, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from microveil.app.running import apply_step, check_promises, finish, fresh_seed
from microveil.methods import Method, Outcome
from microveil.privacy import PrivacyModel
from microveil.recipes import MeasureRequirement, Recipe
from microveil.release import Release
from microveil.risk import Assessment
from microveil.scores import Score
from microveil.tables import Door, Roles, Table


@dataclass(frozen=True, eq=False)
class Draft:
    """A release in the making; each step gives a new draft, and the old one stays.

    >>> draft = Draft.start({"age": [31, 32], "sex": ["f", "f"]}, Roles(quasi_identifiers=["sex"]))
    >>> draft.risk().k
    2
    """

    recipe: Recipe
    original: Table
    _door: Door = field(repr=False)
    _seed: int = field(repr=False)
    _outcomes: tuple[Outcome, ...] = field(repr=False, default=())

    @classmethod
    def start(cls, data: Any, roles: Roles | None = None, *, seed: int | None = None) -> Self:
        """Begin with a data frame and the roles of its columns."""
        door = Door(data)
        original = Table(door.frame, roles)
        return cls(Recipe(roles=original.roles), original, door, fresh_seed(seed))

    @property
    def table(self) -> Table:
        """The table after the steps so far: unchecked, to look at."""
        return self._outcomes[-1].table if self._outcomes else self.original

    def apply(self, step: Method) -> Draft:
        """The draft with one more step.

        A step that searches for a goal and names none works toward the requirements made so far;
        the recipe keeps them as the step's own, so that it repeats what was done here.
        """
        step = step.toward(self.recipe.models)
        outcome = apply_step(step, self.table, self._seed, len(self.recipe.steps))
        return replace(
            self, recipe=self.recipe.with_steps(step), _outcomes=(*self._outcomes, outcome)
        )

    def undo(self) -> Draft:
        """The draft without its last step; without steps, the draft itself."""
        if not self._outcomes:
            return self
        recipe = self.recipe.model_copy(update={"steps": self.recipe.steps[:-1]})
        return replace(self, recipe=recipe, _outcomes=self._outcomes[:-1])

    def require(self, *models: PrivacyModel | MeasureRequirement) -> Draft:
        """The draft with further requirements."""
        recipe = self.recipe.model_copy(update={"require": self.recipe.require + models})
        return replace(self, recipe=recipe)

    def risk(self) -> Assessment:
        """Disclosure risk of the table as it now is."""
        return self.release().risk

    def utility(self) -> Mapping[str, Score]:
        """What the steps so far cost."""
        return self.release().utility

    def release(self) -> Release:
        """The release these steps make; the same as running the recipe with the same seed."""
        check_promises(self.recipe)
        return finish(self.recipe, self._door, self.original, self.table, self._outcomes)
