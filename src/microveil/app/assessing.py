"""Assess a table as it is: classes, models reached, measures, and verdicts in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from microveil.errors import InputError, listing
from microveil.measures.choosing import Choice, chosen, left_out, names_measures
from microveil.measures.taking import take
from microveil.privacy import reached
from microveil.progress import Progress, silent
from microveil.risk import (
    RISK_MEASURES,
    Assessment,
    RiskMeasure,
    assess_table,
    table_verdicts,
)
from microveil.risk.assessment.assessment import N_WORST
from microveil.specs import Registry
from microveil.tables import Missing, Roles, Table, as_table

OF_A_TABLE = Registry[RiskMeasure](
    RISK_MEASURES.tag, *(measure for measure in RISK_MEASURES if not measure.needs_original)
)
"""Measures that look at a table alone."""


def assess(
    data: Any,
    roles: Roles | None = None,
    *,
    missing: Missing = "category",
    n_worst: int = N_WORST,
    acceptable_k: Mapping[int, int] | None = None,
    measures: Choice = "default",
    progress: Progress = silent,
) -> Assessment:
    """Disclosure risk of a table as it is: classes, models reached, measures, and verdicts.

    ``acceptable_k`` maps a number of records to the k that tables up to that size should reach;
    without it, the thresholds of :data:`microveil.risk.ACCEPTABLE_K` stand. ``measures`` are
    those that suit a table alone by default; ``"all"``, ``"none"``, or some by name or as specs.
    Each scenario of the roles is assessed like the quasi-identifiers.

    >>> assess({"sex": ["f", "f", "m"]}, Roles(quasi_identifiers=["sex"])).k
    1
    """
    table = as_table(data, roles)
    if not any(table.roles.key_sets().values()):
        raise InputError("Risk needs quasi-identifiers: name the columns an intruder may know.")
    if acceptable_k is not None and not acceptable_k:
        raise InputError("acceptable_k needs at least one size with its k.")
    found = assess_table(
        table, missing=missing, n_worst=n_worst, thresholds=acceptable_k, models=reached
    )
    _refuse_pairs(measures)

    def measured(one: Assessment) -> Assessment:
        return _measured(one, table, measures, progress)

    scenarios = {name: measured(one) for name, one in found.scenarios.items()}
    main = measured(found) if found.quasi_identifiers else found
    return replace(main, scenarios=scenarios)


def _measured(found: Assessment, table: Table, measures: Choice, progress: Progress) -> Assessment:
    """An assessment of some keys with the measures taken for them, and the verdicts."""
    keys = found.quasi_identifiers
    # What an intruder of this scenario knows is nothing left to infer.
    secret = tuple(name for name in table.roles.sensitive if name not in keys)
    changes = {"quasi_identifiers": keys, "sensitive": secret, "scenarios": {}}
    seen = table.with_roles(table.roles.model_copy(update=changes))
    n_cells = table.height * len(keys)
    scores, skipped = take(
        [reading(one, found.missing) for one in chosen(measures, OF_A_TABLE, n_cells=n_cells)],
        lambda measure: measure.score(None, seen),
        asked=names_measures(measures),
        progress=progress,
    )
    skipped |= left_out(measures, OF_A_TABLE, n_cells=n_cells)
    return replace(found, scores=scores, skipped=skipped, verdicts=table_verdicts(found, scores))


def _refuse_pairs(measures: Choice) -> None:
    """Raise where a measure was named that needs the original beside the table."""
    if not names_measures(measures):
        return
    pairs = [one.kind() for one in chosen(measures, RISK_MEASURES) if one.needs_original]
    if pairs:
        raise InputError(
            f"Measure {listing(pairs, len(pairs))} looks at a release beside its original: compare "
            "the two instead."
        )


def reading(measure: RiskMeasure, missing: Missing) -> RiskMeasure:
    """The measure with the caller's reading of missing keys, where it has one and set none."""
    fields = type(measure).model_fields
    if missing == "category" or "missing" not in fields or "missing" in measure.model_fields_set:
        return measure
    return measure.model_copy(update={"missing": missing})
