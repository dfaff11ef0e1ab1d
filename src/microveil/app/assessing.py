"""Assess a table as it is: classes, privacy models, measures, and verdicts in words."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from microveil.app.running import read_release
from microveil.errors import InputError, listing
from microveil.measures.choosing import Choice, choose_measures, left_out, names_measures
from microveil.measures.subject import Subject
from microveil.measures.taking import Kept, take
from microveil.privacy import strictest_parameters
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.risk import (
    RISK_MEASURES,
    Assessment,
    RiskMeasure,
    assess_table,
    table_verdicts,
)
from microveil.risk.assessment.acceptable_k import KRule
from microveil.risk.assessment.assessment import N_WORST
from microveil.specs import Registry
from microveil.tables import Classes, Missing, Roles, Table, as_table
from microveil.tables.door import is_spark_frame
from microveil.texts import Message
from microveil.utility import UTILITY_MEASURES

OF_A_TABLE = Registry[RiskMeasure](
    RISK_MEASURES.tag, *(measure for measure in RISK_MEASURES if not measure.needs_original)
)
"""Measures that need only one table."""


@shows_progress
def assess(  # noqa: PLR0913  what is assessed, and how; all but the first have a default
    data: Any,
    roles: Roles | None = None,
    *,
    missing: Missing | None = None,
    n_worst: int = N_WORST,
    acceptable_k: KRule | None = None,
    measures: Choice = "default",
    recipe: Recipe | None = None,
    records: Kept = True,
    progress: Progress = silent,
) -> Assessment:
    """Assess the disclosure risk of a table: classes, privacy models, measures, and verdicts.

    ``acceptable_k`` is the k that the table should reach: a rule by name, ``"scientific"`` (5, for
    research under contract), ``"public"`` (11), ``"petersburg"`` (by the number of records, the
    default: :data:`microveil.risk.ACCEPTABLE_K`), or a table from sizes to k. ``measures`` defaults
    to those that suit a single table; ``"all"``, ``"none"``, or a selection by name or as specs.
    Each scenario of the roles is assessed like the quasi-identifiers. A ``recipe`` supplies the
    roles (of the columns that exist), its folder, and the treatment of missing keys, unless given
    here. ``records`` says which scores keep their values per record: all, the measures named, or
    none; without all, the assessment has no ``unique_records`` either, and large tables take less
    memory.

    >>> assess({"sex": ["f", "f", "m"]}, Roles(quasi_identifiers=["sex"])).k
    1
    """
    if is_spark_frame(data):
        said = roles if roles is not None else (Roles() if recipe is None else recipe.roles)
        how = missing or ("category" if recipe is None else recipe.missing_keys)
        return _assess_on_spark(data, said, how, n_worst, acceptable_k, measures)
    table = as_table(data, roles) if recipe is None else read_release(recipe, data, roles)
    if missing is None:
        missing = "category" if recipe is None else recipe.missing_keys
    if not any(table.roles.key_sets().values()):
        raise InputError(
            Message(
                "assess.risk_needs_quasi_identifiers",
                "Risk needs quasi-identifiers: name the columns an intruder may know.",
            )
        )
    found, counted = _before_models(
        table,
        missing=missing,
        n_worst=n_worst,
        thresholds=acceptable_k,
        records=records is True,
    )
    _refuse_pairs(measures)

    def measure(one: Assessment, classes: Classes) -> Assessment:
        return _measure(one, classes, table, measures, records, progress)

    with nullcontext() if recipe is None else recipe.beside_its_files():
        others = zip(found.scenarios.items(), counted[:-1], strict=True)
        scenarios = {name: measure(one, classes) for (name, one), classes in others}
        main = measure(found, counted[-1])
    return replace(main, scenarios=scenarios)


def _assess_on_spark(
    data: Any,
    roles: Roles,
    missing: Missing,
    n_worst: int,
    acceptable_k: KRule | None,
    measures: Choice,
) -> Assessment:
    from microveil.app.counted import assess_counted
    from microveil.spark import SparkTable

    return assess_counted(
        SparkTable(data, roles),
        missing=missing,
        n_worst=n_worst,
        thresholds=acceptable_k,
        measures=measures,
    )


def _before_models(table: Table, **how: Any) -> tuple[Assessment, list[Classes]]:
    """The assessment without models, which are computed beside the measures, and the classes.

    These are those of the scenarios, then those of the quasi-identifiers.
    """
    counted: list[Classes] = []

    def later(classes: Classes) -> dict[str, Any]:
        counted.append(classes)
        return {}

    return assess_table(table, models=later, **how), counted


def _measure(
    found: Assessment,
    classes: Classes,
    table: Table,
    measures: Choice,
    records: Kept,
    progress: Progress,
) -> Assessment:
    """An assessment for some keys, with its models, measures and verdicts."""
    keys = found.quasi_identifiers
    models: dict[str, Any] = {}
    if not keys:
        return replace(found, models=strictest_parameters(classes))
    seen = table.with_roles(table.roles.knowing(keys))
    n_cells = table.height * len(keys)
    taken = take(
        choose_measures(measures, OF_A_TABLE, n_cells=n_cells),
        Subject.alone(seen, found.missing),
        asked=names_measures(measures),
        records=records,
        beside=[lambda: models.update(strictest_parameters(classes))],
        progress=progress,
    )
    found = replace(found, models=models)
    return replace(
        found,
        scores=taken.scores,
        skipped={**taken.skipped, **left_out(measures, OF_A_TABLE, n_cells=n_cells)},
        verdicts=table_verdicts(found, taken.scores),
    )


def _refuse_pairs(measures: Choice) -> None:
    """Raise an error if a measure was named that also needs the original."""
    if not names_measures(measures):
        return
    try:
        named = choose_measures(measures, RISK_MEASURES, UTILITY_MEASURES)
    except InputError:
        named = choose_measures(
            measures, OF_A_TABLE
        )  # a measure that nobody knows: list those of a table
    pairs = [one.kind() for one in named if one.needs_original]
    if pairs:
        raise InputError(
            "Measure {pairs} compares a release with its original: use compare instead.",
            pairs=listing(pairs, len(pairs)),
        )
