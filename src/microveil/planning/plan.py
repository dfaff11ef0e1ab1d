"""Plan: what a step will do to every part of a table, decided before the first is changed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from microveil.arrays import Longs
from microveil.methods import Method, Outcome
from microveil.tables import Table

State = Any
"""What a plan carries from part to part if their order matters; otherwise None."""


@dataclass(frozen=True, eq=False)
class StepPlan(ABC):
    """A step that is ready for parts: it needs to know nothing more about the table."""

    step: Method
    position: int
    """Place of the step in its recipe."""
    columns: tuple[str, ...]
    """Columns it looks at or changes."""

    @property
    def kind(self) -> str:
        """How the plan was made, in words for prices and facts."""
        return "row by row"

    @property
    def opaque(self) -> bool:
        """Whether equal rows may have different results, by chance or by their order."""
        return False

    @property
    def removes(self) -> bool:
        """Whether rows may be removed."""
        return False

    @property
    def sequential(self) -> bool:
        """Whether a part's result depends on how many rows came before it."""
        return False

    @property
    def facts(self) -> Mapping[str, Any] | None:
        """Facts about the whole table, if they are known in advance."""
        return None

    def start(self) -> State:
        """What is carried into the first part."""
        return None

    def tally(self, part: Table) -> Longs:  # noqa: ARG002  for sequential plans
        """What later parts must know about a part, as counts that add up."""
        return np.empty(0, np.int64)

    def starts(self, tallies: Longs, rng: np.random.Generator) -> list[State]:  # noqa: ARG002  likewise
        """What is carried into each part, given the counts of all (parts × counts)."""
        return [self.start() for _ in tallies]

    @abstractmethod
    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:
        """Change one part, and update the state for later parts."""

    def shape(self, rows: Table) -> Table:
        """A few rows after the plan, for their columns and types."""
        return self.protect(rows, np.random.default_rng(0), self.start()).table

    def merge_facts(self, first: Mapping[str, Any], second: Mapping[str, Any]) -> Mapping[str, Any]:
        """Facts about two parts as facts about both."""
        return self.facts if self.facts is not None else self.step.merge_facts(first, second)


@dataclass(frozen=True, eq=False)
class RowByRow(StepPlan):
    """A step that changes each row by itself; each part has its own random stream."""

    by_chance: bool = False

    @property
    def opaque(self) -> bool:
        """If the step is random."""
        return self.by_chance

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:  # noqa: ARG002  nothing is remembered
        """Apply the step to the part as if it were a table."""
        return self.step.apply(part, rng)


@dataclass(frozen=True, eq=False)
class Resolved(StepPlan):
    """A step replaced by steps that no longer need the table: limits and matrices are filled in."""

    parts: tuple[Method, ...] = ()
    told: Mapping[str, Any] | None = None
    by_chance: bool = False

    @property
    def kind(self) -> str:
        """From counts."""
        return "from counts"

    @property
    def opaque(self) -> bool:
        """If the step is random."""
        return self.by_chance

    @property
    def facts(self) -> Mapping[str, Any] | None:
        """None: the parts are counted."""
        return None

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:  # noqa: ARG002  nothing is remembered
        """Apply the steps one after another."""
        facts: Mapping[str, Any] = {}
        for one in self.parts:
            outcome = one.apply(part, rng)
            part, facts = outcome.table, join_facts(facts, outcome.facts)
        return Outcome(part, {**facts, **(self.told or {})})


def join_facts(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Facts about some columns joined with those about others."""
    both = dict(first)
    for name, fact in second.items():
        other = both.get(name)
        if isinstance(fact, Mapping) and isinstance(other, Mapping):
            both[name] = {**other, **fact}
        elif isinstance(fact, list) and isinstance(other, list):
            both[name] = [*other, *fact]
        else:
            both[name] = fact
    return both


def read_by(step: Method, table: Table) -> tuple[str, ...]:
    """Every column that a step may use: what it touches, names anywhere, or has by a role."""
    wanted = {*step.touches(table), *table.roles.named, *_texts(step.to_dict())}
    return tuple(name for name in table.columns if name in wanted)


def _texts(plain: Any) -> set[str]:
    if isinstance(plain, str):
        return {plain}
    if isinstance(plain, Mapping):
        return set(plain) | {text for value in plain.values() for text in _texts(value)}
    if isinstance(plain, Sequence):
        return {text for value in plain for text in _texts(value)}
    return set()
