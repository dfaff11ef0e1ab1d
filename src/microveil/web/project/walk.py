"""Walk: the steps of a recipe, continued from the last state that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microveil.app.steps import Steps
from microveil.methods import Outcome
from microveil.methods.parts.streams import Chance
from microveil.recipes import Recipe
from microveil.tables import Table
from microveil.web.project.states import States


class Walk:
    """Where the steps of a recipe have got to; it holds one table beside the original."""

    def __init__(
        self, recipe: Recipe, original: Table, chance: Chance, states: States, keys: Sequence[str]
    ) -> None:
        self.states, self.keys = states, keys
        start = Steps.start(recipe, original, chance)
        self.n_kept = 0
        while self.n_kept < len(recipe.steps) and states.has(keys[self.n_kept + 1]):
            self.n_kept += 1
        outcomes = [states.load_facts(key, original) for key in keys[1 : self.n_kept + 1]]
        table = states.load(keys[self.n_kept]).table if self.n_kept else original
        self.steps = replace(start, table=table, outcomes=tuple(outcomes))

    def take(self) -> Steps:
        """Take the next step and keep its state."""
        self.steps = self.steps.take()
        outcome = replace(self.steps.outcomes[-1], table=self.steps.table)
        self.states.save(self.keys[self.steps.n_taken], outcome)
        return self.steps

    def outcome(self, place: int) -> Outcome:
        """What a step made of the table: as it is kept, or taken now."""
        if place < self.n_kept:
            return self.states.load(self.keys[place + 1])
        steps = self.take()
        return replace(steps.outcomes[-1], table=steps.table)

    def to_the_end(self) -> Steps:
        """The state after all steps, each of them kept."""
        while self.steps.left:
            self.take()
        return self.steps
