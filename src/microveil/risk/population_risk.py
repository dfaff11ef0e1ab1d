"""Population risk: how many people of the population are unique, judged from a sample."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from microveil.errors import InputError
from microveil.measures.base import RiskMeasure
from microveil.populations import superpopulations
from microveil.populations.frequencies import Frequencies, frequencies
from microveil.populations.sampling import Sampled
from microveil.populations.uniqueness import (
    SMALL_SAMPLE,
    SizeCounts,
    pitman,
    slide_negative_binomial,
    zayatz,
)
from microveil.risk.population.log_linear import Cells, LogLinear
from microveil.risk.population.suppressed import unsuppressed
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import check_columns

PopulationEstimator = Literal[
    "dankar", "pitman", "snb", "zayatz", "poisson", "negative_binomial", "log_linear"
]


class PopulationRisk(Sampled, RiskMeasure):
    """Estimated share of the population that is unique in its quasi-identifiers.

    The table is a sample; how many people of the population are alone with their keys is
    estimated from the sizes of its classes: by Zayatz's (1991), Pitman's (Hoshino 2001) or the
    slide negative binomial model (Chen & Keller-McNulty 1998), by the rule of Dankar et al. (2012)
    that chooses among them, by a Poisson or a negative binomial model of class sizes (Bethlehem,
    Keller & Pannekoek 1990), or by a log-linear model of the keys (Skinner & Holmes 1998).

    ``parts`` has all estimates; ``models`` has, for the last three, tau_1, the expected number of
    unique records whose person is unique in the population, and tau_2, the expected number of
    unique records that are matched rightly. The size of the population is given, or the sum of the
    weights. Records without any key are left out. Without unique records every estimate is 0.

    >>> from microveil.tables import Roles
    >>> ages = {"age": [30, 30, 30, 40, 40, 50]}
    >>> measure = PopulationRisk(sampling_share=0.5, estimator="zayatz")
    >>> round(measure.measure(ages, roles=Roles(quasi_identifiers=["age"])).value, 4)
    0.0573
    """

    name: Literal["population_risk"] = "population_risk"
    counts_classes: ClassVar[bool] = True
    estimator: PopulationEstimator = "dankar"
    """Whose estimate is the value: ``dankar`` (chooses by the sampling share), ``pitman``, ``snb``,
    ``zayatz``, ``poisson``, ``negative_binomial`` or ``log_linear``."""
    log_linear: LogLinear = LogLinear()
    """The log-linear model."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Estimate by every model, for each set of keys."""
        if not self.sampled and table.roles.weight is None:
            raise InputError(
                "population_risk needs the size of the population, the sampling share, or a "
                "weight column in the roles."
            )
        key_sets = table.roles.key_sets()
        check_columns(
            self.log_linear.columns, {name for keys in key_sets.values() for name in keys}
        )
        (_, main), *others = key_sets.items()
        parts = self._of(table, main)
        if others:
            parts["scenarios"] = {str(name): self._of(table, keys) for name, keys in others}
        value = parts[self.estimator]
        if value is None:
            raise InputError(
                "The slide negative binomial model does not fit this table's class sizes. Choose "
                "another estimator: dankar, pitman or zayatz."
            )
        return Score(measure=self.kind(), value=value, parts=parts)

    def _of(self, table: Table, keys: tuple[str, ...]) -> dict[str, Any]:
        kept, _ = unsuppressed(table, keys)
        found = frequencies(kept, keys)
        sample = SizeCounts.of(found.classes.counts)
        size = self._population_size(found, sample.n)
        parts: dict[str, Any] = {
            "n_records": sample.n,
            "n_unique": sample.of_size(1),
            "n_suppressed": table.height - kept.height,
            "population_size": size,
            "sampling_share": sample.n / size if size else 1.0,
        }
        return parts | (_shares(sample, size) | self._models(found, sample, size))

    def _population_size(self, found: Frequencies, n: int) -> int:
        if self.sampled:
            return self.population_of(n)
        return max(round(found.n_people), n)

    def _models(self, found: Frequencies, sample: SizeCounts, size: int) -> dict[str, Any]:
        n_unique, n = sample.of_size(1), sample.n
        if not n_unique:
            none = {"tau_1": 0.0, "tau_2": 0.0}
            names = ("poisson", "negative_binomial", "log_linear")
            shares: dict[str, Any] = dict.fromkeys(names, 0.0)
            cells = {"log_linear": none | {"gr1": 0.0, "gr2": 0.0}}
            return shares | {"models": {name: dict(none) for name in names} | cells}
        fits = {
            "poisson": superpopulations.poisson(sample, n / size),
            "negative_binomial": superpopulations.negative_binomial(sample, n / size),
        }
        models = {
            name: {"tau_1": n_unique * fit.unique, "tau_2": n_unique * fit.inverse}
            for name, fit in fits.items()
        }
        models["log_linear"] = self.log_linear.within(found.classes.columns).risks(
            _cells(found, n / size)
        )
        return {name: taus["tau_1"] / n for name, taus in models.items()} | {"models": models}


def _shares(sample: SizeCounts, size: int) -> dict[str, Any]:
    """Estimated shares of unique people, and by which of them Dankar's rule goes."""
    if not sample.of_size(1):
        return {"dankar": 0.0, "pitman": 0.0, "snb": 0.0, "zayatz": 0.0, "dankar_choice": None}
    shares = {
        "pitman": pitman(sample, size),
        "snb": slide_negative_binomial(sample, size),
        "zayatz": zayatz(sample, size),
    }
    small = sample.n <= SMALL_SAMPLE * size
    able = {
        name: share
        for name, share in shares.items()
        if share is not None and (name == "pitman") == small
    }
    choice = min(able, key=lambda name: able[name])
    return {"dankar": able[choice]} | shares | {"dankar_choice": choice}


def _cells(found: Frequencies, drawn: float) -> Cells:
    """The classes for the log-linear model; without weights everybody had the same chance."""
    counts = found.classes.counts
    if not found.estimated:
        weights = counts / drawn
        return Cells(found.classes.keys, counts, weights, np.full(len(counts), drawn))
    return Cells(found.classes.keys, counts, found.population, found.drawn)
