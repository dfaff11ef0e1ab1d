"""Walk: the steps of a recipe taken one by one, from the last state that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microveil.app.steps import StepsTaken, check_splits, take_step
from microveil.methods import Outcome
from microveil.methods.parts.streams import Chance
from microveil.recipes import Recipe
from microveil.tables import Table
from microveil.web.project.states import States


class Walk:
    """Where the steps of a recipe have got to; it holds one table beside the original.

    Chance comes from each step's own stream, so that a step draws the same whether the ones
    before it were taken now or are kept.
    """

    def __init__(
        self, recipe: Recipe, original: Table, chance: Chance, states: States, keys: Sequence[str]
    ) -> None:
        check_splits(recipe)
        self.recipe, self.original, self.chance, self.states = recipe, original, chance, states
        self.keys = keys
        self.n_kept = 0
        while self.n_kept < len(recipe.steps) and states.has(keys[self.n_kept + 1]):
            self.n_kept += 1
        self.outcomes = [states.load_facts(key, original) for key in keys[1 : self.n_kept + 1]]
        self.table = states.load(keys[self.n_kept]).table if self.n_kept else original

    def take(self, place: int) -> Outcome:
        """Take the step at a place and keep its state; a table is split when all else is done."""
        outcome = take_step(self.recipe, place, self.table, self.chance)
        if self.recipe.steps[place].splits:
            outcome = replace(outcome, table=self.table, parts={}, joined=None)
        self.states.save(self.keys[place + 1], outcome)
        self.table = outcome.table
        self.outcomes.append(replace(outcome, table=self.original, joined=None))
        return outcome

    def to_the_end(self) -> StepsTaken:
        """All steps taken, those that split the table as the last ones."""
        for place in range(len(self.outcomes), len(self.recipe.steps)):
            self.take(place)
        table, joined, outcomes = self.table, None, list(self.outcomes)
        for place, step in enumerate(self.recipe.steps):
            if step.splits:
                split = take_step(self.recipe, place, table, self.chance)
                table, joined = split.table, split.joined
                outcomes[place] = replace(split, table=self.original, joined=None)
        return StepsTaken(table, tuple(outcomes), joined)
