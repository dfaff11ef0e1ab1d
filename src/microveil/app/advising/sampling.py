"""Samples: nested parts of a table, of whole people and households, for a first look."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.methods import Method
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from microveil.tables import Table

SHARES = (1 / 16, 1 / 4)
"""Shares of the records of the samples, each part of the next."""
FEWEST = 1_500
"""Records of the smallest sample worth looking at."""


@dataclass(frozen=True, eq=False)
class Samples:
    """The table and its samples, the smallest first; each is a part of the next."""

    table: Table
    seed: int

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Shares of the records on each rung; the last is 1."""
        n = self.table.height
        return (*(share for share in SHARES if share * n >= FEWEST), 1.0)

    @cached_property
    def _order(self) -> Longs:
        """Rows in a random order that keeps people and households together."""
        roles = self.table.roles
        unit = roles.entity or roles.household
        n = self.table.height
        if unit is None:
            return np.random.default_rng(self.seed).permutation(n)
        groups = self.table.frame[unit].rank("dense").fill_null(0).to_numpy().astype(np.int64)
        place = np.random.default_rng(self.seed).permutation(int(groups.max(initial=0)) + 1)
        return np.argsort(place[groups], kind="stable").astype(np.int64)

    def table_at(self, rung: int) -> Table:
        """The table of a rung."""
        share = self.shares[rung]
        if share >= 1:
            return self.table
        rows = np.sort(self._order[: max(int(share * self.table.height), 1)])
        return Table(self.table.frame[pl.Series(rows)], self.table.roles)


def scale(recipe: Recipe, share: float) -> Recipe:
    """The recipe for a sample: sizes of classes and groups shrink with the records.

    >>> from microveil.methods import Mondrian
    >>> scale(Recipe(steps=[Mondrian(k=20)]), 0.25).steps[0].k
    5
    """
    if share >= 1:
        return recipe
    steps = tuple(_scale_step(step, share) for step in recipe.steps)
    require = tuple(
        one.model_copy(update={"k": _smaller(one.k, share)}) if isinstance(one, KAnonymity) else one
        for one in recipe.require
    )
    return recipe.model_copy(update={"steps": steps, "require": require})


def _scale_step(step: Method, share: float) -> Method:
    changes = {
        name: _smaller(value, share)
        for name in ("k", "min_count")
        if isinstance(value := getattr(step, name, None), int)
    }
    return step.model_copy(update=changes) if changes else step


def _smaller(size: int, share: float) -> int:
    return max(2, math.ceil(size * share - 1e-9))
