"""Prefixes: a beginning that several recipes have in common is run once."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

from microveil.app.steps import Steps, StepsTaken
from microveil.methods.parts.streams import Chance
from microveil.recipes import Recipe
from microveil.specs import identity_of
from microveil.tables import Table

MOST_CELLS = 60_000_000
"""Cells of tables that are kept."""


@dataclass(eq=False)
class Prefixes:
    """States of tables after the first steps of recipes; the oldest are forgotten."""

    choosing: int = field(repr=False)
    """Seed for recipes that change values: what they are chosen by is not what is released."""
    final: int = field(repr=False)
    """Seed for recipes whose values stay true: there is nothing about them that chance flatters."""
    kept: OrderedDict[str, Steps] = field(default_factory=OrderedDict)
    n_saved: int = 0
    """Steps that did not have to be run."""
    _lock: Lock = field(default_factory=Lock)

    def finish(self, recipe: Recipe, original: Table, rung: int) -> StepsTaken:
        """All steps of a recipe, from the longest beginning that was run already."""
        names = self._names(recipe, rung)
        steps = self._longest(recipe, original, names)
        while steps.n_taken < len(recipe.steps):
            steps = steps.take()
            self._keep(names[steps.n_taken], steps)
        return steps.finish()

    def _names(self, recipe: Recipe, rung: int) -> list[str]:
        """A name for the state after each number of steps: what it depends on."""
        drawn = changes_values(recipe)
        aim = identity_of(
            [rung, drawn, [one.to_dict() for one in recipe.require], recipe.missing_keys]
        )
        names = [aim]
        for step in recipe.steps:
            names.append(f"{names[-1]}\0{step.identity}")
        return names

    def _longest(self, recipe: Recipe, original: Table, names: list[str]) -> Steps:
        with self._lock:
            for place in range(len(recipe.steps), 0, -1):
                found = self.kept.get(names[place])
                if found is not None:
                    self.kept.move_to_end(names[place])
                    self.n_saved += place
                    return found.with_recipe(recipe)
        return Steps.start(recipe, original, Chance.of(self._seed(recipe), original.frame))

    def _seed(self, recipe: Recipe) -> int:
        return self.choosing if changes_values(recipe) else self.final

    def _keep(self, name: str, steps: Steps) -> None:
        with self._lock:
            self.kept[name] = steps
            self.kept.move_to_end(name)
            while len(self.kept) > 1 and self._n_cells() > MOST_CELLS:
                self.kept.popitem(last=False)

    def _n_cells(self) -> int:
        return sum(one.table.height * len(one.table.columns) for one in self.kept.values())


def changes_values(recipe: Recipe) -> bool:
    """Whether a step of a recipe may make values wrong."""
    return any(step.perturbative for step in recipe.steps)
