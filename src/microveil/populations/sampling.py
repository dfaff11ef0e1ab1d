"""Sampled: parameters that relate a table to the population it was drawn from."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from microveil.errors import InputError
from microveil.specs import Spec


class Sampled(Spec):
    """The size of the population the table was drawn from, given in one of two ways."""

    population_size: int | None = Field(default=None, ge=1, le=2**62)
    """Number of people in the population the table was drawn from."""
    sampling_share: float | None = Field(default=None, gt=0, le=1)
    """Sampling fraction: the table's records as a share of the population; an alternative to
    ``population_size``."""

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        if self.population_size is not None and self.sampling_share is not None:
            raise ValueError(
                "give population_size or sampling_share, not both"
            )  # so that pydantic lists it with the recipe's other problems
        return self

    @property
    def sampled(self) -> bool:
        """Whether the population size is given."""
        return self.population_size is not None or self.sampling_share is not None

    def population_of(self, n: int) -> int:
        """Population size for a sample of n."""
        if self.sampling_share is not None:
            return max(round(n / self.sampling_share), n)
        size = self.population_size or 0
        if size < n:
            raise InputError(
                "The table has {n} records, more than a population of {size}. Raise "
                "population_size.",
                n=n,
                size=size,
            )
        return size
