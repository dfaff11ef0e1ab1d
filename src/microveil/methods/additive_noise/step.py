"""Add random noise to numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.arrays import Flags, Floats, Ints
from microveil.errors import ColumnError
from microveil.methods.additive_noise.orthogonal import FARTHEST, LEAST_RECORDS, orthogonally_masked
from microveil.methods.additive_noise.outliers import outlying
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.limits import Limit, upside_down
from microveil.methods.parts.real_values import (
    bounds_of,
    column_of,
    has_distance,
    real_values,
    reflect,
)
from microveil.methods.parts.strata import strata_rows
from microveil.statistics.covariances import (
    correlations,
    deviations,
    power,
    semidefinite,
    with_moments,
)
from microveil.tables import Table
from microveil.texts import phrase

LEAST_SPREAD = 2
"""A single value has no spread."""

NEEDS = phrase(
    "Step 'additive_noise' needs numbers, dates, date-times or durations; "
    "use pram or permute for categories."
)


class Spread(NamedTuple):
    """What noise is in proportion to."""

    sds: Floats
    """Standard deviation of each column."""
    related: Floats | None
    """Correlations, where the noise is to have them."""


class AdditiveNoise(Method):
    """Add random noise in proportion to each column's spread.

    Standard deviations are sample ones (n − 1). Missing cells stay missing and do not count:
    covariances are computed pairwise over the rows present in both columns. Whole numbers become
    floats unless kept; dates stay dates. Time and memory grow with the number of cells.

    >>> frame = {"pay": [1000.0, 2000.0, 3000.0]}
    >>> AdditiveNoise(columns="pay", sd_share=0.1).protect(frame, seed=1)["pay"].round(1).to_list()
    [958.6, 1986.7, 3004.5]
    """

    method: Literal["additive_noise"] = "additive_noise"
    columns: SomeColumns = ()
    """Columns to add noise to."""
    sd_share: float | None = Field(default=None, ge=0)
    """Standard deviation of the noise relative to that of the column; 0 changes nothing."""
    variance_share: float | None = Field(default=None, ge=0)
    """Variance of the noise relative to that of the column, instead of sd_share."""
    correlated: bool = False
    """Whether the noise has the same correlations as the columns, which preserves
    correlations."""
    distribution: Literal["normal", "laplace", "uniform"] = "normal"
    """Distribution of the noise; all have the same standard deviation."""
    variant: Literal["plain", "kim", "romm", "outliers"] = "plain"
    """plain; kim: transformed afterwards to preserve mean and covariance exactly; romm: instead of
    adding noise, records are mixed by a random orthogonal matrix that preserves mean and covariance
    exactly, with a change of the same size as the noise; outliers: noise is added only to outlying
    records."""
    keep_integers: bool = False
    """Whether whole numbers stay whole, by rounding up or down at random."""
    keep_zeros: bool = False
    """Whether zeros stay zero."""
    lower: Limit | None = None
    """Lower bound: values that would fall below it are reflected. This shifts the mean, by the
    number of standard deviations given in the facts (``reflection_shift``)."""
    upper: Limit | None = None
    """Upper bound: values that would rise above it are reflected."""
    by_strata: bool = True
    """Whether spread is computed, and moments are preserved, within each of the roles' strata; has
    no effect without strata."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are changed once for all its members, if the
    roles name a household; by default those that are constant within every household."""

    @model_validator(mode="after")
    def _one_scale(self) -> Self:
        if (self.sd_share is None) == (self.variance_share is None):
            raise ValueError("Give either sd_share or variance_share.")
        if (
            self.lower is not None
            and self.upper is not None
            and upside_down(self.lower, self.upper)
        ):
            raise ValueError("The lower bound lies above the upper bound.")
        return self

    @model_validator(mode="after")
    def _exact_moments_alone(self) -> Self:
        if self.variant in ("kim", "romm"):
            bounded = self.lower is not None or self.upper is not None
            if bounded or self.keep_integers or self.keep_zeros:
                raise ValueError(
                    phrase(
                        "The moments of variant '{variant}' cannot be exact with bounds, "
                        "keep_integers or keep_zeros.",
                        variant=self.variant,
                    )
                )
        if self.variant == "romm" and self._scale**2 > FARTHEST:
            raise ValueError(
                phrase(
                    "Variant 'romm' moves values by a variance_share of {farthest} at most.",
                    farthest=FARTHEST,
                )
            )
        return self

    @property
    def _scale(self) -> float:
        return self.sd_share or float(np.sqrt(self.variance_share or 0.0))

    @property
    def perturbative(self) -> bool:
        """Always."""
        return True

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Add the noise; the facts count cells changed and reflected, and outlying records."""
        return by_household(self, table, rng, AdditiveNoise._change)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        return self.with_spread(table, rng, None)

    def with_spread(self, table: Table, rng: np.random.Generator, spread: Spread | None) -> Outcome:
        """Add noise of a known spread, or of that of the table."""
        before = usable_frame(table, self.columns, self.kind())
        refuse_kinds(before, self.columns, has_distance, NEEDS)
        if self._scale == 0:
            return Outcome(table, change_facts(before, before, self.columns))
        strata = strata_rows(table, self.columns, apart=self.by_strata)
        names = [name for name in self.columns if before.schema[name] != pl.Null]
        bounds = [self._bounds(before[name]) for name in names]
        points, n_outliers = self._mask(before.select(names), strata, rng, spread)
        n_reflected, shifts = {}, {}
        columns = []
        for number, (name, (low, high)) in enumerate(zip(names, bounds, strict=True)):
            noisy = points[:, number]
            n_reflected[name] = int(((noisy < low) | (noisy > high)).sum())
            inside = reflect(noisy, low, high)
            shifts[name] = _shift(noisy, inside, before[name]) if n_reflected[name] else 0.0
            keep = self.keep_integers
            columns.append(column_of(inside, before[name], keep_integers=keep, rng=rng))
        after = before.with_columns(columns)
        facts: dict[str, Any] = change_facts(before, after, self.columns)
        facts |= {"n_reflected": n_reflected, "reflection_shift": shifts}
        if self.variant == "outliers":
            facts["n_outliers"] = n_outliers
        facts["now_float"] = [
            name
            for name in names
            if after.schema[name].is_float() and not before.schema[name].is_float()
        ]
        return Outcome(table.with_frame(after), facts)

    def _bounds(self, series: pl.Series) -> tuple[float, float]:
        whole = self.keep_integers and series.dtype.is_integer()
        return bounds_of(series, self.lower, self.upper, whole=whole)

    def _mask(
        self,
        frame: pl.DataFrame,
        strata: list[Ints],
        rng: np.random.Generator,
        spread: Spread | None,
    ) -> tuple[Floats, int]:
        """All columns as floats with noise, NaN where missing; the number of outlying records."""
        points: Floats = np.empty((frame.height, frame.width), order="F")
        for number, series in enumerate(frame):
            points[:, number] = real_values(series)
        self._refuse_gaps(points)
        n_outliers = 0
        for rows in strata if frame.width else ():
            everywhere = len(rows) == len(points)
            part = points if everywhere else points[rows]
            if spread is None:
                refuse_few(part, frame.columns, self._least)
            chosen = None
            if self.variant == "outliers":
                chosen = outlying(part)
                n_outliers += int(chosen.sum())
            noisy = self._noisy(part, chosen, rng, spread)
            if everywhere:
                return noisy, n_outliers
            points[rows] = noisy
        return points, n_outliers

    @property
    def _least(self) -> int:
        return LEAST_RECORDS if self.variant in ("kim", "romm") else LEAST_SPREAD

    def _refuse_gaps(self, points: Floats) -> None:
        if self.variant not in ("kim", "romm"):
            return
        missing = np.isnan(points)
        n_partial = int((missing.any(axis=1) & ~missing.all(axis=1)).sum())
        if n_partial:
            raise ColumnError(
                "{n_partial} records have some of the columns missing and others not. "
                "Variant '{variant}' needs all or none: use one step each.",
                n_partial=n_partial,
                variant=self.variant,
            )

    def _noisy(
        self,
        points: Floats,
        chosen: Flags | None,
        rng: np.random.Generator,
        spread: Spread | None,
    ) -> Floats:
        if self.variant in ("kim", "romm"):
            return self._moments_kept(points, rng)
        noise = self._noise(points, rng, spread)
        if chosen is not None:
            noise[~chosen] = 0
        if self.keep_zeros:
            noise[points == 0] = 0
        noise += points
        return noise

    def _moments_kept(self, points: Floats, rng: np.random.Generator) -> Floats:
        complete = ~np.isnan(points).any(axis=1)
        present = points if complete.all() else points[complete]
        if not len(present):
            return points
        if self.variant == "romm":
            masked = orthogonally_masked(present, self._scale, rng)
        else:
            centred = deviations(present)
            covariance = centred.T @ centred / (len(present) - 1)
            del centred
            noisy = self._noise(present, rng)
            noisy += present
            masked = with_moments(noisy, present.mean(axis=0), covariance)
        if present is points:
            return masked
        kept = points.copy()
        kept[complete] = masked
        return kept

    def _noise(
        self, points: Floats, rng: np.random.Generator, spread: Spread | None = None
    ) -> Floats:
        sds, related = self._spread(points) if spread is None else spread
        if related is not None:
            factors = power(semidefinite(related), 0.5) * (sds * self._scale)
            return np.asarray(self._draw(points.shape, rng) @ factors)
        noise = self._draw(points.shape, rng)
        with np.errstate(over="ignore", invalid="ignore"):  # found out when the column is made
            noise *= sds * self._scale
        return noise

    def _spread(self, points: Floats) -> Spread:
        present = ~np.isnan(points)
        centred = deviations(points)
        sds = np.sqrt(
            np.einsum("ij,ij->j", centred, centred) / np.maximum(present.sum(axis=0) - 1, 1)
        )
        both = self.correlated and points.shape[1] > 1
        return Spread(sds, correlations(centred, present) if both else None)

    def _draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
        """Random numbers with mean 0 and variance 1."""
        if self.distribution == "laplace":
            return rng.laplace(0, np.sqrt(0.5), shape)
        if self.distribution == "uniform":
            return rng.uniform(-np.sqrt(3), np.sqrt(3), shape)
        return rng.standard_normal(shape)


def _shift(noisy: Floats, inside: Floats, before: pl.Series) -> float:
    """Shift of the mean due to reflection, in standard deviations of the column."""
    values = real_values(before)
    present = ~np.isnan(values)
    if present.sum() < LEAST_SPREAD:  # a part of a table may have so few
        return 0.0
    spread = float(values[present].std(ddof=1))
    with np.errstate(invalid="ignore"):  # detected when the column is built
        return float((inside - noisy)[present].mean()) / spread if spread > 0 else 0.0


def refuse_few(points: Floats, names: Sequence[str], least: int) -> None:
    """Raise an error if a column has too few values for proportional noise to hide anything."""
    counts = (~np.isnan(points)).sum(axis=0)
    few = [name for name, n in zip(names, counts, strict=True) if 0 < n < least]
    if few:
        raise ColumnError(
            "Column {few:quoted} has fewer than {least} values in the table or in a stratum. "
            "Their spread is meaningless: leave out the rows, or merge strata.",
            few=few,
            least=least,
        )
