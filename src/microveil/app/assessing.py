"""Assess a table as it is; compare a release with its original, wherever it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microveil.errors import InputError
from microveil.privacy import reached
from microveil.risk import RISK_MEASURES, Assessment, RiskMeasure, assess_table
from microveil.risk.assessment import N_WORST
from microveil.scores import Score
from microveil.tables import Missing, Roles, Table, as_table
from microveil.utility import UTILITY_MEASURES, UtilityMeasure
from microveil.utility.base import released_table


def assess(
    data: Any,
    roles: Roles | None = None,
    *,
    missing: Missing = "category",
    n_worst: int = N_WORST,
    acceptable_k: Mapping[int, int] | None = None,
) -> Assessment:
    """Disclosure risk of a table as it is.

    ``acceptable_k`` maps a number of records to the k that tables up to that size should reach;
    without it, the thresholds of :data:`microveil.risk.ACCEPTABLE_K` stand.

    >>> assess({"sex": ["f", "f", "m"]}, Roles(quasi_identifiers=["sex"])).k
    1
    """
    table = as_table(data, roles)
    if not any(table.roles.key_sets().values()):
        raise InputError("Risk needs quasi-identifiers: name the columns an intruder may know.")
    if acceptable_k is not None and not acceptable_k:
        raise InputError("acceptable_k needs at least one size with its k.")
    return assess_table(
        table, missing=missing, n_worst=n_worst, thresholds=acceptable_k, models=reached
    )


@dataclass(frozen=True, eq=False)
class Comparison:
    """Risk and utility of a release beside its original."""

    risk: Mapping[str, Score]
    utility: Mapping[str, Score]
    before: Assessment
    after: Assessment
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Measures that could not be taken, and why."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: one value per measure, details beside."""
        return {
            "risk": {name: score.value for name, score in self.risk.items()},
            "utility": {name: score.value for name, score in self.utility.items()},
            "k_before": self.before.k,
            "k_after": self.after.k,
            "details": {
                name: score.to_dict() for name, score in {**self.risk, **self.utility}.items()
            },
            "skipped": dict(self.skipped),
        }


def compare(
    original: Any,
    released: Any,
    roles: Roles | None = None,
    *,
    aligned: bool | None = None,
    missing: Missing = "category",
) -> Comparison:
    """Risk and utility of any pair of tables.

    Measures that pair rows take row i of one for row i of the other while both have as many
    rows; say ``aligned=False`` when the release was written in random order.
    """
    before = as_table(original, roles)
    after = released_table(released, before.roles)
    if aligned is None:
        aligned = after.rows is not None or before.height == after.height
    utility, skipped = _utility(before, after, aligned=aligned)
    return Comparison(
        risk={measure.kind(): _risk(measure, before, after) for measure in RISK_MEASURES},
        utility=utility,
        before=assess_table(before, missing=missing, models=reached),
        after=assess_table(after, missing=missing, models=reached),
        skipped=skipped,
    )


def _risk(measure: type[RiskMeasure], before: Table, after: Table) -> Score:
    return measure().score(after, before if measure.needs_original else None)


def _utility(
    before: Table, after: Table, *, aligned: bool
) -> tuple[dict[str, Score], dict[str, str]]:
    scores, skipped = {}, {}
    for measure in UTILITY_MEASURES:
        if measure.needs_alignment and not aligned:
            skipped[measure.kind()] = "needs rows in the same order"
        else:
            scores[measure.kind()] = _take(measure, before, after)
    return scores, skipped


def _take(measure: type[UtilityMeasure], before: Table, after: Table) -> Score:
    return measure().score(before, after)
