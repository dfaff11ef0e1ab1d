"""Risk before and after, for each set of quasi-identifiers: the internal reader's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.reports.plain import plain
from microveil.reports.summary import Risk
from microveil.risk import Assessment, assess_table

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
    return {name: plain(value) for name, value in numbers.items() if name != "scenarios"}
