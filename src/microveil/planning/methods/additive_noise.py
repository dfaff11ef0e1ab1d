"""Additive noise: the spread of the columns in two passes, noise part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import ColumnError
from microveil.methods import AdditiveNoise, Outcome
from microveil.methods.additive_noise import Spread
from microveil.methods.additive_noise.step import NEEDS
from microveil.methods.parts.columns import refuse_kinds, usable_frame
from microveil.methods.parts.real_values import has_distance, real_values
from microveil.planning.course import Course
from microveil.planning.plan import State, StepPlan
from microveil.tables import Roles, Table

LEAST = 2
"""One value has no spread."""


@dataclass(frozen=True, eq=False)
class NoisePlan(StepPlan):
    """The spread that noise is in proportion to."""

    spread: Spread

    @property
    def kind(self) -> str:
        """From moments."""
        return "from moments"

    @property
    def opaque(self) -> bool:
        """Always."""
        return True

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:  # noqa: ARG002  nothing is remembered
        """Add noise to the part."""
        step = self.step
        assert isinstance(step, AdditiveNoise)  # noqa: S101  it was planned for
        return step.with_spread(part, rng, self.spread)


def suits(step: AdditiveNoise, roles: Roles) -> bool:
    """Whether the moments of all records tell all."""
    by_strata = step.by_strata and bool(roles.strata)
    return step.variant == "plain" and not (roles.household or roles.entity or by_strata)


def plan_noise(step: AdditiveNoise, position: int, course: Course) -> NoisePlan:
    """Add up sums, then products of deviations from the means (Chan, Golub & LeVeque 1983)."""
    refuse_kinds(
        usable_frame(course.head, step.columns, step.kind()), step.columns, has_distance, NEEDS
    )
    names = [name for name in step.columns if course.head.frame.schema[name] != pl.Null]
    sums = course.fold(_Sums(names))
    n, totals = sums
    if (n[n > 0] < LEAST).any():
        raise ColumnError(
            "A column has fewer than two values, so that noise in proportion to their spread hides "
            "nothing. Leave it out, or protect more records at once."
        )
    products = course.fold(_Products(names, totals / np.maximum(n, 1)))
    squares = products[1]
    own = np.diag(products[0])
    sds = np.sqrt(own / np.maximum(n - 1, 1))
    related = None
    if step.correlated and len(names) > 1:
        scale = np.sqrt(squares * squares.T)
        related = np.divide(products[0], scale, out=np.zeros_like(scale), where=scale > 0)
        np.fill_diagonal(related, 1.0)
    return NoisePlan(step, position, step.columns, Spread(sds, related))


def _points(table: Table, names: Sequence[str]) -> Floats:
    return np.column_stack([real_values(table.frame[name]) for name in names])


@dataclass(frozen=True)
class _Sums:
    """Number and sum of the values of each column: (2, columns)."""

    names: Sequence[str]

    def __call__(self, table: Table) -> Floats:
        points = _points(table, self.names)
        return np.stack([(~np.isnan(points)).sum(axis=0), np.nansum(points, axis=0)])


@dataclass(frozen=True)
class _Products:
    """Products of deviations of each pair, and squares of one where the other is there."""

    names: Sequence[str]
    means: Floats

    def __call__(self, table: Table) -> Floats:
        points = _points(table, self.names)
        present = ~np.isnan(points)
        centred = np.where(present, points - self.means, 0.0)
        return np.stack([centred.T @ centred, (centred**2).T @ present])
