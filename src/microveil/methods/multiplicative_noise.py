"""Multiply numbers by random factors near one."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Floats
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.real_values import column_of, has_ratio, real_values
from microveil.tables import Table
from microveil.texts import phrase

NEEDS = phrase(
    "Step 'multiplicative_noise' needs numbers or durations; use additive_noise for dates, "
    "pram or permute for categories."
)


class MultiplicativeNoise(Method):
    """Multiply each value by a random factor with mean one.

    Large values change more than small ones; zeros stay zero, and signs are preserved unless normal
    factors are used without redrawing. Missing cells stay missing. Whole numbers become floats
    unless kept. Time and memory grow with the number of cells.

    >>> frame = {"pay": [1000.0, 2000.0, 0.0]}
    >>> step = MultiplicativeNoise(columns="pay", sd=0.1)
    >>> step.protect(frame, seed=1)["pay"].round(1).to_list()
    [1164.7, 2057.8, 0.0]
    """

    method: Literal["multiplicative_noise"] = "multiplicative_noise"
    columns: SomeColumns = ()
    """Columns to multiply."""
    sd: float = Field(ge=0, le=10)
    """Standard deviation of the factor, whose mean is one; 0 changes nothing."""
    distribution: Literal["lognormal", "normal"] = "lognormal"
    """lognormal: always positive, with exactly this mean and standard deviation; normal: see
    ``redraw``."""
    redraw: bool = True
    """Whether non-positive normal factors are redrawn, which preserves signs but raises the mean of
    the factors above one (``expected_factor`` in the facts); if not, the factors are plain N(1,
    sd²), with mean one, and signs may change."""
    keep_integers: bool = False
    """Whether whole numbers stay whole, by rounding up or down at random."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are changed once for all its members, if the
    roles name a household; by default those that are constant within every household."""

    @property
    def perturbative(self) -> bool:
        """Always."""
        return True

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Multiply the columns; the facts count the cells that changed, and the zeros."""
        return by_household(self, table, rng, MultiplicativeNoise._change)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        before = usable_frame(table, self.columns, self.kind())
        refuse_kinds(before, self.columns, has_ratio, NEEDS)
        if self.sd == 0:
            return Outcome(table, change_facts(before, before, self.columns))
        names = [name for name in self.columns if before.schema[name] != pl.Null]
        after = before.with_columns([self._multiply(before[name], rng) for name in names])
        facts: dict[str, Any] = change_facts(before, after, self.columns)
        facts["n_zero"] = {name: int((real_values(before[name]) == 0).sum()) for name in names}
        facts["now_float"] = [
            name
            for name in names
            if after.schema[name].is_float() and not before.schema[name].is_float()
        ]
        facts["expected_factor"] = self.expected_factor
        return Outcome(table.with_frame(after), facts)

    @property
    def expected_factor(self) -> float:
        """Mean of the factors: one, unless normal ones are drawn again."""
        if self.distribution == "lognormal" or not self.redraw or self.sd == 0:
            return 1.0
        normal, cut = NormalDist(), 1 / self.sd
        return 1 + self.sd * normal.pdf(cut) / normal.cdf(cut)

    def _multiply(self, series: pl.Series, rng: np.random.Generator) -> pl.Series:
        product = self._factors(len(series), rng)
        with np.errstate(over="ignore"):
            product *= real_values(series)
        return column_of(product, series, keep_integers=self.keep_integers, rng=rng)

    def _factors(self, n: int, rng: np.random.Generator) -> Floats:
        if self.distribution == "lognormal":
            log_variance = np.log1p(self.sd**2)
            return rng.lognormal(-log_variance / 2, np.sqrt(log_variance), n)
        factors = rng.normal(1, self.sd, n)
        while self.redraw and len(wrong := np.flatnonzero(factors <= 0)):
            factors[wrong] = rng.normal(1, self.sd, len(wrong))
        return factors
