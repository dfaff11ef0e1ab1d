"""Usefulness: the loss of a release by what the goal says must stay useful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from microveil.app.advising.goal import Goal
from microveil.app.exploration.axes import Axis, parse_axes
from microveil.errors import InputError
from microveil.measures.subject import Subject
from microveil.measures.taking import score_of
from microveil.scores import Score
from microveil.tables import Table
from microveil.utility import CellLoss


@dataclass(frozen=True)
class Loss:
    """What a release lost: the number that is minimised, and what it consists of."""

    value: float
    columns: Mapping[str, float] = field(default_factory=dict)
    """Loss of each column's cells."""
    analyses: Mapping[str, float] = field(default_factory=dict)
    """Loss of each named analysis."""


@dataclass(frozen=True, eq=False)
class Usefulness:
    """What the losses of a table's releases are measured by."""

    goal: Goal
    original: Table

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Columns that a release should keep: keys and other contents, no ids and no design."""
        roles = self.original.roles
        keys = [name for names in roles.key_sets().values() for name in names]
        named = dict.fromkeys((*roles.quasi_identifiers, *keys, *roles.sensitive))
        named |= dict.fromkeys(roles.insensitive)
        gone = {*roles.identifiers, roles.entity, roles.household}
        frame = self.original.frame
        return tuple(n for n in named if n not in gone and not frame[n].dtype.is_nested())

    @cached_property
    def axis(self) -> Axis | None:
        """The measure to choose by, if the goal names one."""
        if self.goal.loss is None:
            return None
        return parse_axes(self.goal.loss, "utility")[0]

    def loss(self, subject: Subject) -> Loss:
        """The loss of a release."""
        cells = self._cells(subject)
        analyses = {one.title: one.loss(subject) for one in self.goal.analyses}
        columns = {name: float(value) for name, value in cells.parts["columns"].items()}
        if self.axis is not None:
            value = self.axis.read(score_of(self.axis.measure, subject))
            return Loss(value, columns, analyses)
        if not analyses:
            return Loss(cells.value, columns)
        # Named analyses are what the release is for; the columns count beside them if weighed.
        counts = [one.weight for one in self.goal.analyses]
        total = sum(c * v for c, v in zip(counts, analyses.values(), strict=True))
        value = total / sum(counts)
        if self.goal.weights:
            value = (value + cells.value) / 2
        return Loss(value, columns, analyses)

    def _cells(self, subject: Subject) -> Score:
        if not self.columns:
            raise InputError("No column of the table has a role that a release could keep.")
        return score_of(CellLoss(columns=self.columns, weights=self.goal.weights), subject)

    def floors_broken(self, loss: Loss) -> list[str]:
        """Analyses whose quality is below the floor that the goal sets."""
        return [
            one.title
            for one in self.goal.analyses
            if one.at_least is not None and 1 - loss.analyses[one.title] < one.at_least - 1e-12
        ]
