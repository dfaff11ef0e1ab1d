"""Scenarios: a measure taken of what each further intruder knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from microveil.measures.base import Measure, RiskMeasure
from microveil.measures.subject import Subject
from microveil.measures.taking import take
from microveil.scores import Score
from microveil.tables.kinds import is_number

if TYPE_CHECKING:
    from microveil.tables import Table

Seen = tuple[str | None, Measure, Subject]
"""A scenario (None for the quasi-identifiers), and what is measured of what."""


def seen_by_each(measure: Measure, subject: Subject) -> Iterator[Seen]:
    """The measure and its subject for the quasi-identifiers, then as each scenario has them.

    A measure that does not depend on what is known, or is told what is known, is taken once. A
    scenario of which the release shows nothing leaves nothing to measure. Without quasi-identifiers
    scenarios stand alone, unless the measure then takes every column for known.
    """
    scenarios = _scenarios(measure, subject)
    told = measure.known_field in measure.model_fields_set
    if not measure.by_scenario or told or not scenarios:
        yield None, measure, subject
        return
    if _roles_table(subject).roles.quasi_identifiers or _knows_all(measure):
        yield None, measure, subject
    for name, seen in scenarios.items():
        yield name, measure.knowing(tuple(_usable(measure, seen))), seen


def scenario_scores(
    measures: Mapping[str, Measure], subject: Subject
) -> dict[str, dict[str, Score]]:
    """The scores of each scenario, by the names of the measures that apply to it."""
    found: dict[str, dict[str, Score]] = {}
    for name, measure in measures.items():
        for scenario, told, seen in seen_by_each(measure, subject):
            if scenario is None:
                continue
            taken = take({name: told}, seen, records=False)
            found.setdefault(scenario, {}).update(taken.scores)
    return found


def _roles_table(subject: Subject) -> Table:
    return subject.released if subject.original is None else subject.original


def _knows_all(measure: Measure) -> bool:
    """Whether an attack without keys takes all columns for known."""
    return measure.needs_original and isinstance(measure, RiskMeasure)


def _scenarios(measure: Measure, subject: Subject) -> dict[str, Subject]:
    """The subject of each scenario that knows a released column the measure can use."""
    found = {}
    for name, keys in _roles_table(subject).roles.scenarios.items():
        seen = _as_known(subject, keys)
        if any(True for _ in _usable(measure, seen)):
            found[name] = seen
    return found


def _as_known(subject: Subject, keys: Iterable[str]) -> Subject:
    """The subject with its tables as an intruder who knows these keys has them."""

    def with_known_keys(table: Table) -> Table:
        there = [name for name in keys if name in set(table.columns)]
        return table.with_roles(table.roles.knowing(there))

    return replace(
        subject,
        original=None if subject.original is None else with_known_keys(subject.original),
        released=with_known_keys(subject.released),
        control=None if subject.control is None else with_known_keys(subject.control),
    )


def _usable(measure: Measure, subject: Subject) -> Iterator[str]:
    """The known columns that the release shows, numbers only where a measure uses no others."""
    tables = [table for table in (subject.original, subject.released) if table is not None]
    for name in subject.released.roles.quasi_identifiers:
        kinds = [table.frame.schema[name] for table in tables if name in table.columns]
        if len(kinds) == len(tables) and (
            not measure.needs_numbers or _shows_numbers(subject, name)
        ):
            yield name


def _shows_numbers(subject: Subject, name: str) -> bool:
    """Whether a column holds numbers in all tables that are no labels."""
    tables = [table for table in (subject.original, subject.released) if table is not None]
    if not all(is_number(table.frame.schema[name]) for table in tables):
        return False
    return subject.original is None or not subject.reading.is_coded(name)
