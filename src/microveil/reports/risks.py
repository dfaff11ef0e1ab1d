"""Risk before and after, for each set of quasi-identifiers, for internal readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from microveil.measures.choosing import choose_measures
from microveil.measures.subject import Subject
from microveil.measures.taking import name_uniquely, take
from microveil.pairs.known_columns import known_columns
from microveil.release.attacks import ATTACKS
from microveil.reports.contents.meanings import described_pair
from microveil.reports.plain import plain
from microveil.reports.summary import Risk
from microveil.risk import (
    RISK_MEASURES,
    Assessment,
    Verdict,
    pair_verdicts,
)

if TYPE_CHECKING:
    from microveil.measures.base import Measure
    from microveil.release import Release

Pair = tuple[Assessment, Assessment | None]
"""An assessment before and after; None after if no quasi-identifier of the set is left."""


def assessments_of(release: Release) -> dict[str | None, Pair]:
    """The main set of quasi-identifiers (under ``None``), then each scenario's."""
    return pair_scenarios(release.risk_before, release.risk)


def pair_scenarios(before: Assessment, after: Assessment) -> dict[str | None, Pair]:
    """The assessments of each set of quasi-identifiers, before and after."""
    left = _by_scenario(after)
    return {name: (one, left.get(name)) for name, one in _by_scenario(before).items()}


def _by_scenario(main: Assessment) -> dict[str | None, Assessment]:
    """Each set that has keys: scenarios may occur without a main set."""
    found: dict[str | None, Assessment] = {None: main}
    return {
        name: one for name, one in (found | dict(main.scenarios)).items() if one.quasi_identifiers
    }


def risks_of(release: Release) -> tuple[Risk, ...]:
    """The numbers of each set as plain data."""
    return plain_risks(assessments_of(release))


def plain_risks(pairs: Mapping[str | None, Pair]) -> tuple[Risk, ...]:
    """The numbers of each set, before and after, as plain data."""
    return tuple(
        Risk(name, old.quasi_identifiers, numbers_of(old), None if new is None else numbers_of(new))
        for name, (old, new) in pairs.items()
    )


def numbers_of(assessment: Assessment) -> dict[str, Any]:
    """The numbers of one set as plain data."""
    numbers = assessment.to_dict()
    # Scenarios have entries of their own.
    found = {name: plain(value) for name, value in numbers.items() if name != "scenarios"}
    # Column names are complete, however long; only cells are truncated.
    return found | {"quasi_identifiers": list(assessment.quasi_identifiers)}


@dataclass(frozen=True)
class Findings:
    """Results of the risk measures."""

    scores: Mapping[str, Any]
    """By name, before and after, as plain data."""
    not_taken: Mapping[str, str]
    """Measures that do not apply, or are not valid evidence here, and why."""
    verdicts: tuple[Verdict, ...]
    """Singling out, linkability, inference: the risk of the release, in words."""


MOST_PAIRS = 200_000_000
"""Pairs of records that linkage by every column compares for a report: above, some people are
looked for, and the score has an interval."""


def _knowing_more(subject: Subject, measures: Sequence[Measure]) -> dict[str, Measure]:
    """Record linkage by every column of the release, where it is by the quasi-identifiers alone.

    Few people may be found by the keys, and nearly all by what stands beside them.
    """
    linkage = next((one for one in measures if one.kind() == "record_linkage"), None)
    if linkage is None or subject.original is None:
        return {}
    columns = known_columns(subject.original, subject.released)
    keys = {*subject.original.roles.quasi_identifiers} & {*columns}
    if not keys or keys == {*columns}:
        return {}
    known = linkage.knowing(columns)
    return {"record_linkage by all columns": known.model_copy(update={"most_pairs": MOST_PAIRS})}


def _measures_for(release: Release) -> list[Measure]:
    """The default measures; an attack that the recipe limits has the settings of its limit."""
    n_cells = release.original.height * len(release.original.columns)
    limited = {one.spec.kind(): one.spec for one in release.recipe.limits}
    attacks = {kind.kind() for kind in ATTACKS}
    return [
        limited.get(one.kind(), one) if one.kind() in attacks else one
        for one in choose_measures("default", RISK_MEASURES, n_cells=n_cells)
        if one.kind() != "class_sizes"  # has a table of its own
    ]


def findings_of(release: Release) -> Findings:
    """The default measures before and after, and what they mean for the release."""
    if not release.original.height or not release.table.height:
        return Findings({}, {}, ())
    measures = _measures_for(release)
    subject = Subject.made_by(release.recipe, release.original, release.table)
    named = name_uniquely(measures) | _knowing_more(subject, measures)
    attacked = release.attack_scores  # by the cautions, too
    left = {name: one for name, one in named.items() if name not in attacked}
    after = take(left, subject, records=False)
    found = {**attacked, **after.scores}
    scores = {name: found[name] for name in [*named, *attacked] if name in found}
    single = [one for one in after.measures.values() if not one.needs_original]
    before = take(single, Subject.alone(release.original, subject.missing), records=False)
    countable = not subject.no_evidence and release.table.roles.quasi_identifiers
    sensitive = set(release.original.roles.sensitive)
    has_secrets = not sensitive or not sensitive.isdisjoint(release.table.columns)
    return Findings(
        {name: described_pair(name, before.scores.get(name), one) for name, one in scores.items()},
        {**after.invalid, **after.skipped},
        pair_verdicts(scores, release.risk if countable else None, has_secrets=has_secrets),
    )
