"""Population risk: how many people in the population are unique, estimated from a sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

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
from microveil.risk.population.suppressed import suppressed_classes
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import check_columns
from microveil.texts import Message

PopulationEstimator = Literal[
    "dankar", "pitman", "snb", "zayatz", "poisson", "negative_binomial", "log_linear"
]

MODELLED = ("poisson", "negative_binomial", "log_linear")
"""Models of single classes, which give the risk of unique records."""
SHARES: Mapping[str, Callable[[SizeCounts, int], float | None]] = {
    "pitman": pitman,
    "snb": slide_negative_binomial,
    "zayatz": zayatz,
}


class PopulationRisk(Sampled, RiskMeasure):
    """Estimated share of the population that is unique on its quasi-identifiers.

    The table is a sample. The number of population uniques is estimated from its class sizes: by
    Zayatz's (1991), Pitman's (Hoshino 2001) or the slide negative binomial model (Chen &
    Keller-McNulty 1998), by the rule of Dankar et al. (2012) that chooses among them, by a Poisson
    or a negative binomial model of class sizes (Bethlehem, Keller & Pannekoek 1990), or by a
    log-linear model of the keys (Skinner & Holmes 1998).

    ``parts`` has every estimate that was made. For the last three, ``models`` has tau_1, the
    expected number of sample uniques that are population uniques, and tau_2, the expected number of
    sample uniques that are matched correctly. The population size is given, or is the sum of the
    weights. Records without any key are left out. Without unique records every estimate is 0.

    >>> from microveil.tables import Roles
    >>> ages = {"age": [30, 30, 30, 40, 40, 50]}
    >>> measure = PopulationRisk(sampling_share=0.5, estimator="zayatz")
    >>> round(measure.measure(ages, roles=Roles(quasi_identifiers=["age"])).value, 4)
    0.0573
    """

    weighs: ClassVar[bool] = True
    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Uniques of the population"
    headline: ClassVar[bool] = True
    name: Literal["population_risk"] = "population_risk"
    by_scenario: ClassVar[bool] = True
    counts_classes: ClassVar[bool] = True
    estimator: PopulationEstimator | None = None
    """Model used for the estimate: ``dankar`` (chooses by the sampling share), ``pitman``, ``snb``,
    ``zayatz``, ``poisson``, ``negative_binomial`` or ``log_linear``. By default all are fitted, and
    the value is Dankar's."""
    log_linear: LogLinear = LogLinear()
    """The log-linear model."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Estimate by the chosen model, or by all, for each set of keys."""
        if not self.sampled and table.roles.weight is None:
            raise InputError(
                Message(
                    "risk.population_risk_needs_population",
                    "population_risk needs the population size, the sampling share, or a weight "
                    "column in the roles.",
                )
            )
        key_sets = table.roles.key_sets()
        check_columns(
            self.log_linear.columns, {name for keys in key_sets.values() for name in keys}
        )
        (_, main), *others = key_sets.items()
        parts = self._of(table, main)
        if others:
            parts["scenarios"] = {str(name): self._of(table, keys) for name, keys in others}
        value = parts[self.estimator or "dankar"]
        if value is None:
            raise InputError(
                "The slide negative binomial model does not fit this table's class sizes. Choose "
                "another estimator: dankar, pitman or zayatz."
            )
        return Score(measure=self.kind(), value=value, parts=parts)

    def _of(self, table: Table, keys: tuple[str, ...]) -> dict[str, Any]:
        found = frequencies(table, keys)
        shown = ~suppressed_classes(found.classes)
        sample = SizeCounts.of(found.classes.counts[shown])
        size = self._population_size(found, shown, sample.n)
        parts: dict[str, Any] = {
            "n_records": sample.n,
            "n_unique": int(sample.of_size(1)),
            "n_suppressed": int(found.classes.record_counts[~shown].sum()),
            "population_size": size,
            "sampling_share": sample.n / size if size else 1.0,
        }
        if self.estimator not in MODELLED:
            parts |= _shares(sample, size, self.estimator)
        if self.estimator in (None, *MODELLED):
            parts |= self._estimate_by_models(
                _cells(found, shown, sample.n / size if size else 1.0), sample
            )
        return parts

    def _population_size(self, found: Frequencies, shown: NDArray[np.bool_], n: int) -> int:
        if self.sampled:
            return self.population_of(n)
        return max(round(float(found.population[shown].sum())), n)

    def _estimate_by_models(self, cells: Cells, sample: SizeCounts) -> dict[str, Any]:
        """Estimates from the models that also cover single records."""
        names = MODELLED if self.estimator is None else (self.estimator,)
        models = {name: self._taus(name, cells, sample) for name in names}
        n = max(sample.n, 1)
        return {name: taus["tau_1"] / n for name, taus in models.items()} | {"models": models}

    def _taus(self, name: str, cells: Cells, sample: SizeCounts) -> dict[str, float]:
        n_unique = sample.of_size(1)
        if not n_unique:
            further = {"gr1": 0.0, "gr2": 0.0} if name == "log_linear" else {}
            return {"tau_1": 0.0, "tau_2": 0.0} | further
        if name == "log_linear":
            return self.log_linear.within(cells.keys.columns).risks(cells)
        fit = superpopulations.poisson if name == "poisson" else superpopulations.negative_binomial
        found = fit(sample, cells.overall)
        return {"tau_1": n_unique * found.unique, "tau_2": n_unique * found.inverse}


def _shares(sample: SizeCounts, size: int, estimator: PopulationEstimator | None) -> dict[str, Any]:
    """Estimated shares of unique people, and the one that Dankar's rule chooses."""
    names: tuple[str, ...] = ("pitman", "snb", "zayatz")
    by_rule = ("pitman",) if sample.n <= SMALL_SAMPLE * size else ("snb", "zayatz")
    if estimator is not None:
        names = by_rule if estimator == "dankar" else (estimator,)
    shares = {name: SHARES[name](sample, size) if sample.of_size(1) else 0.0 for name in names}
    if estimator not in (None, "dankar"):
        return shares
    if not sample.of_size(1):
        return {"dankar": 0.0} | shares | {"dankar_choice": None}
    able = {name: share for name in by_rule if (share := shares[name]) is not None}
    choice = min(able, key=lambda name: able[name])
    return {"dankar": able[choice]} | shares | {"dankar_choice": choice}


def _cells(found: Frequencies, shown: NDArray[np.bool_], drawn: float) -> Cells:
    """The classes for the log-linear model; without weights sampling probabilities are equal."""
    counts = found.classes.counts[shown]
    keys = found.classes.keys.filter(shown) if found.classes.columns else found.classes.keys
    if not found.estimated:
        return Cells(keys, counts, counts / drawn, np.full(len(counts), drawn), drawn)
    return Cells(keys, counts, found.population[shown], found.drawn[shown], drawn)
