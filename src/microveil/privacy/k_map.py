"""k-map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.populations.population_file import (
    Population,
    in_population,
    looked_up,
    population_of,
)
from microveil.populations.sampling import Sampled
from microveil.privacy.parts.base import Check, PrivacyModel
from microveil.privacy.parts.sensitive import ROUNDING
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.tables import Classes

KMapEstimator = Literal["poisson", "zero_truncated_poisson"]


class KMap(Sampled, PrivacyModel):
    """Every record's quasi-identifiers fit at least k people in the population (Sweeney 2002).

    People are counted in a population file with the same quasi-identifiers in the same coding, or
    given by the sums of the sampling weights, or estimated. The estimate assumes that the sample
    holds a Poisson number, with mean k·n/N, of the people in a population class of k. A class of
    the table is then taken to stand for k people or more when it is larger than smaller population
    classes would reach by chance at the given significance (El Emam & Dankar 2008). This amounts to
    k'-anonymity with k' at most k, and k' is the value reported as required and achieved.

    >>> KMap(k=5, population_size=3_016_200).estimated_k(30_162)
    2
    """

    model: Literal["k_map"] = "k_map"
    monotone: ClassVar[bool] = True
    k: int = Field(ge=2)
    """Smallest number of people in the population that may share a record's keys."""
    population: str | None = Field(default=None, min_length=1)
    """Path of a population file with the same quasi-identifiers in the same coding."""
    estimator: KMapEstimator = "zero_truncated_poisson"
    """``poisson``, or ``zero_truncated_poisson``, which accounts for every class in the table being
    non-empty; used when the population size is given."""
    significance: float = Field(default=0.05, gt=0, lt=1)
    """Probability of mistaking a smaller population class for one of k people."""

    @model_validator(mode="after")
    def _one_population(self) -> Self:
        if self.population is not None and self.sampled:
            raise ValueError(
                "give either a population file or the size of the population, not both"
            )  # so that pydantic lists it with the recipe's other problems
        return self

    def verify(self, classes: Classes) -> Check:
        """Count or estimate the people behind each class."""
        if self.population is not None:
            rows, notes = looked_up(classes)
            found = population_of(rows, self.population, self.kind())
            return replace(self._check(rows, found), notes=notes + found.notes)
        if not self.sampled:
            return self._check(classes, population_of(classes, None, self.kind()))
        required = self.estimated_k(int(classes.counts.sum()))
        people = classes.sizes.astype(np.float64)
        return self._check(classes, Population(people), required)

    def against(self, classes: Classes, population: pl.DataFrame) -> Check:
        """Check against a given population, whatever the parameters name."""
        rows, notes = looked_up(classes)
        found = in_population(rows, population)
        return replace(self._check(rows, found), notes=notes + found.notes)

    def estimated_k(self, n: int) -> int:
        """Class size k' in a table of n records that stands for k people in the population."""
        if n == 0:
            return self.k
        mean = self.k * n / self.population_of(n)
        term = float(np.exp(-mean))
        reached, size = term, 0
        if self.estimator == "zero_truncated_poisson":
            term, reached = term / -float(np.expm1(-mean)), 0.0
        while reached < 1 - self.significance and size < self.k:
            size += 1
            term *= mean / size
            reached += term
        more = 2 if self.estimator == "poisson" else 1
        return min(size + more, self.k)

    def _check(
        self, classes: Classes, population: Population, required: int | None = None
    ) -> Check:
        least = self.k if required is None else required
        people = population.counts
        broken_in = np.flatnonzero(people < least * (1 - ROUNDING))
        return Check(
            model=self.kind(),
            title=Message("title.map", "{k}-map", k=self.k),
            required=least,
            achieved=float(people.min()) if len(people) else 0.0,
            broken_in=broken_in,
            n_broken=int(classes.record_counts[broken_in].sum()),
            n_records=classes.n_records,
        )
