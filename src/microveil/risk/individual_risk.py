"""Individual risk: the probability that an intruder who knows a record's keys identifies it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from microveil.errors import RolesError
from microveil.measures.base import RiskMeasure
from microveil.populations.frequencies import Frequencies, frequencies
from microveil.risk.population.households import (
    household_risks,
    person_risks,
    record_household_risks,
)
from microveil.risk.population.record_risks import NORMAL_95, RiskCounts, posterior_sd
from microveil.scores import Score
from microveil.tables import Missing, Table

if TYPE_CHECKING:
    from microveil.arrays import Floats

RiskEstimator = Literal["approximate", "exact", "sample"]


class IndividualRisk(RiskMeasure):
    """Mean individual risk: the share of records that an intruder who knows the keys identifies.

    A record shares its keys with f records of the table and F people in the population, and its
    risk is the expectation of 1/F. With a weight in the roles, F is estimated: given f, and the
    sampled share p = f / Σ weights of the class, F − f is negative binomial (Benedetti & Franconi
    1998; Franconi & Polettini 2004). Without weights the table is the population, and the risk is
    1/f.

    ``records`` has the risk of each record. ``parts`` has the ``global_risk`` (its mean, which is
    the value), ``expected_reidentifications`` (its sum), the highest risk, the ``threshold`` with
    ``n_above`` and, with households, the risk that at least one member is found, 1 − ∏(1 − r). The
    interval is the 95 % posterior interval, given the weights. An empty table scores 0.

    >>> from microveil.tables import Roles
    >>> people = {"sex": ["f", "f", "m"], "w": [10.0, 10.0, 10.0]}
    >>> roles = Roles(quasi_identifiers=["sex"], weight="w")
    >>> IndividualRisk().measure(people, roles=roles).records.round(4).tolist()
    [0.0827, 0.0827, 0.2558]
    """

    weighs: ClassVar[bool] = True
    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Individual risk"
    headline: ClassVar[bool] = True
    name: Literal["individual_risk"] = "individual_risk"
    by_scenario: ClassVar[bool] = True
    counts_classes: ClassVar[bool] = True
    missing: Missing = "category"
    """Whether a missing key is a value of its own or matches every value (sdcMicro)."""
    wildcard_weight: float = Field(default=1.0, ge=0, le=1)
    """Weight of a record that matches only because of a missing key (sdcMicro's alpha)."""
    estimator: RiskEstimator = "approximate"
    """``approximate`` (sdcMicro: exact up to f = 2, slightly above it from 3 on), ``exact``, or
    ``sample``, which takes the table as the population whatever the weights."""
    threshold: float | None = Field(default=None, ge=0, le=1)
    """Risk above which a record counts as risky; by default derived from ``max_global_risk``."""
    max_global_risk: float = Field(default=0.01, gt=0, le=1)
    """Target global risk: the threshold is the cut-off that would achieve it."""

    level: Literal["person", "household"] = "person"
    """Whose risk ``records`` and the value refer to: the record's, or its household's."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Estimate the risk of every record, for each set of keys."""
        if self.level == "household" and table.roles.household is None:
            raise RolesError("Household risk needs a household column in the roles.")
        (_, main), *others = table.roles.key_sets().items()
        parts, records, interval = self._of(table, main)
        if others:
            parts["scenarios"] = {str(name): self._of(table, keys)[0] for name, keys in others}
        of_households = self.level == "household"
        if of_households:
            records, interval = record_household_risks(records, table), None
        return Score(
            measure=self.kind(),
            value=parts["household_global_risk" if of_households else "global_risk"],
            interval=interval,
            parts=parts,
            records=records,
        )

    def _of(
        self, table: Table, keys: tuple[str, ...]
    ) -> tuple[dict[str, Any], Floats, tuple[float, float] | None]:
        found = frequencies(table, keys, self.missing, self.wildcard_weight)
        of_class = self._risks(found)
        records = of_class[found.classes.record_class]
        people = found.classes.people
        risks = (
            RiskCounts.of(of_class, found.classes.record_counts)
            if people is None
            else RiskCounts.of(*person_risks(records, people))
        )
        interval = self._interval(found, risks)
        parts = self._parts(found, risks, interval)
        if table.roles.household is not None:
            parts |= household_risks(records, table)
        return parts, records, interval

    def _risks(self, found: Frequencies) -> Floats:
        """Risk of the records of each class."""
        if not found.estimated or self.estimator == "sample":
            return 1 / found.sample
        from microveil.kernels.statistics import inverse_frequencies as kernels

        if self.estimator == "exact":
            return kernels.expected_inverses(found.sample, found.drawn)
        return kernels.approximate_inverses(found.sample, found.drawn)

    def _interval(self, found: Frequencies, risks: RiskCounts) -> tuple[float, float] | None:
        """Interval of the mean risk; None if nothing is estimated or the classes overlap."""
        apart = np.array_equal(found.sample, found.classes.record_counts)
        if not found.estimated or self.estimator == "sample" or not apart or not risks.n:
            return None
        reach = NORMAL_95 * posterior_sd(found.sample, found.drawn) / risks.n
        return max(risks.mean - reach, 0.0), min(risks.mean + reach, 1.0)

    def _parts(
        self, found: Frequencies, risks: RiskCounts, interval: tuple[float, float] | None
    ) -> dict[str, Any]:
        counts = found.classes.record_counts
        threshold = self.threshold
        if threshold is None:
            threshold = risks.threshold_for(self.max_global_risk)
        n_above = risks.n_above(threshold)
        parts: dict[str, Any] = {
            "n_people": risks.n,
            "population_size": found.n_people,
            "n_unique": int(counts[found.sample == 1].sum()),
            "global_risk": risks.mean,
            "expected_reidentifications": risks.total,
            "highest_risk": risks.highest,
            "threshold": threshold,
            "n_above": n_above,
            "above_share": n_above / risks.n if risks.n else 0.0,
            "n_far_above": risks.n_far_above(),
        }
        if interval is not None:
            parts["expected_reidentifications_interval"] = [end * risks.n for end in interval]
        return parts
