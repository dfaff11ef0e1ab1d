"""Risk before and after, for each set of quasi-identifiers: the internal reader's numbers."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from microveil.errors import InputError
from microveil.reports.plain import plain
from microveil.reports.summary import Risk
from microveil.risk import RISK_MEASURES, Assessment, RiskMeasure, assess_table

if TYPE_CHECKING:
    from microveil.release import Release
    from microveil.tables import Missing, Table

Pair = tuple[Assessment, Assessment | None]
"""An assessment before and after; none after where no quasi-identifier of the set is left."""


def assessments_of(release: Release) -> dict[str | None, Pair]:
    """The main set of quasi-identifiers (under ``None``), then each scenario's."""
    main_before = release.risk_before if release.original.roles.quasi_identifiers else None
    main_after = release.risk if release.table.roles.quasi_identifiers else None
    before = _by_scenario(release.original, main_before, release.recipe.reading)
    after = _by_scenario(release.table, main_after, release.recipe.reading)
    return {name: (one, after.get(name)) for name, one in before.items()}


def _by_scenario(
    table: Table, main: Assessment | None, missing: Missing
) -> dict[str | None, Assessment]:
    if main is not None:
        return {None: main} | dict(main.scenarios)
    # Scenarios may stand without a main set; each is then assessed as if it were that set.
    alone: dict[str | None, Assessment] = {}
    for name, keys in table.roles.scenarios.items():
        roles = table.roles.model_copy(update={"quasi_identifiers": keys, "scenarios": {}})
        alone[name] = assess_table(table.with_roles(roles), missing=missing)
    return alone


def risks_of(release: Release) -> tuple[Risk, ...]:
    """The numbers of each set as plain data."""
    return tuple(
        Risk(name, old.quasi_identifiers, _numbers(old), None if new is None else _numbers(new))
        for name, (old, new) in assessments_of(release).items()
    )


def _numbers(assessment: Assessment) -> dict[str, Any]:
    numbers = assessment.to_dict()
    # Scenarios have entries of their own.
    found = {name: plain(value) for name, value in numbers.items() if name != "scenarios"}
    # Names of columns are whole, however long; only cells are cut.
    return found | {"quasi_identifiers": list(assessment.quasi_identifiers)}


def risk_scores_of(release: Release) -> dict[str, Any]:
    """The further measures taken by default, before and after; what does not apply is left out."""
    if not release.original.height or not release.table.height:
        return {}
    found: dict[str, Any] = {}
    n_cells = release.original.height * len(release.original.columns)
    for kind in RISK_MEASURES:
        too_large = kind.most_cells is not None and n_cells > kind.most_cells
        if kind.kind() == "class_sizes" or not kind.by_default or too_large:
            continue
        with suppress(InputError):
            found[kind.kind()] = _scored(kind(), release)
    return found


def _scored(measure: RiskMeasure, release: Release) -> dict[str, Any]:
    """One measure of the release and, where it looks at one table alone, of the original."""
    if measure.needs_original:
        after = measure.score(release.table, release.original)
        return {"after": plain(after.to_dict())}
    before, after = (measure.score(one, None) for one in (release.original, release.table))
    return {"before": plain(before.to_dict()), "after": plain(after.to_dict())}
