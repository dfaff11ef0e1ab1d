"""Population uniqueness."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.errors import InputError
from microveil.populations.sampling import Sampled
from microveil.populations.uniqueness import Estimator, SizeCounts, unique_share
from microveil.privacy.parts.base import Check, PrivacyModel
from microveil.privacy.parts.sensitive import ROUNDING
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.tables import Classes


class PopulationUniqueness(Sampled, PrivacyModel):
    """Few people in the population are estimated to be unique on their quasi-identifiers.

    The table is a sample. The share of the population that is unique is estimated from the class
    sizes by Zayatz's (1991), Pitman's (Hoshino 2001) or the slide negative binomial model (Chen &
    Keller-McNulty 1998), or by the rule of Dankar et al. (2012), which chooses among them. Without
    unique records the estimate is 0; with them, an estimate of 0 is not believed. If a missing key
    matches every value, i records that each match i records count as one class of size i. When the
    requirement fails, the classes reported are those of unique records. Not monotone: coarser keys
    can raise an estimate.

    >>> from microveil.tables import Roles
    >>> ages = {"age": [30, 30, 30, 40, 40, 50]}
    >>> model = PopulationUniqueness(threshold=0.1, sampling_share=0.5, estimator="zayatz")
    >>> round(model.check(ages, Roles(quasi_identifiers=["age"])).achieved, 4)
    0.0573
    """

    model: Literal["population_uniqueness"] = "population_uniqueness"
    monotone: ClassVar[bool] = False
    threshold: float = Field(ge=0, lt=1)
    """Largest estimated share of the population that is unique."""
    estimator: Estimator = "dankar"
    """``dankar`` (chooses by the sampling share), ``pitman``, ``snb`` or ``zayatz``."""

    def verify(self, classes: Classes) -> Check:
        """Estimate the share of unique people."""
        if not self.sampled:
            raise InputError(
                "population_uniqueness needs the population size or the sampling share."
            )
        sample = SizeCounts.of(classes.sizes, classes.counts)
        share = self._share(sample)
        unique = np.flatnonzero(classes.sizes == 1)
        broken_in = unique[:0] if self._bounds(sample, share) else unique
        return Check(
            model=self.kind(),
            title=Message(
                "title.population_uniqueness_most",
                "population uniqueness of at most {threshold:g}",
                threshold=self.threshold,
            ),
            required=self.threshold,
            achieved=share,
            broken_in=broken_in,
            n_broken=int(classes.record_counts[broken_in].sum()),
            n_records=classes.n_records,
        )

    def holds_for(self, sample: SizeCounts) -> bool:
        """Whether the requirement holds for a table with these class sizes."""
        return self._bounds(sample, self._share(sample))

    def _share(self, sample: SizeCounts) -> float:
        n = sample.n
        population = self.population_of(n)
        return unique_share(sample, population, self.estimator) if n else 0.0

    def _bounds(self, sample: SizeCounts, share: float) -> bool:
        """Whether a share is small enough and credible: with uniques, it cannot be zero."""
        believed = share > 0 or not sample.of_size(1)
        return share <= self.threshold + ROUNDING and believed
