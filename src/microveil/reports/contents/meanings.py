"""Scores and what they mean: question, plain name, sentence; or why they are meaningless."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from microveil.errors import MicroveilError
from microveil.reports.contents.quantities import Quantities, quantities_of
from microveil.reports.plain import plain
from microveil.risk import RISK_MEASURES
from microveil.texts import Message, compose, join
from microveil.utility import UTILITY_MEASURES

if TYPE_CHECKING:
    from microveil.measures.base import Measure
    from microveil.release import Release
    from microveil.scores import Score


class Meaningful(NamedTuple):
    """Scores that are meaningful for these data, and the others, each with the reason."""

    scores: Mapping[str, Any]
    left_out: Mapping[str, str]
    note: str | None
    """Which columns of numbers were measured, and which were not."""


def meaningful_utility(release: Release) -> Meaningful:
    """The utility measures of a release; those of numbers only on columns of quantities."""
    found = quantities_of(release)
    told: dict[str, Any] = {}
    left_out: dict[str, str] = dict(release.not_measured)
    for name, score in release.utility.items():
        if score.measure == "cell_changes":
            continue  # has a paragraph of its own
        kind = UTILITY_MEASURES[score.measure]
        if not kind.needs_numbers:
            told[name] = describe_score(kind, score)
            continue
        again = _on_quantities(release, kind, score, found)
        if isinstance(again, str):
            left_out[name] = again
        else:
            told[name] = describe_score(kind, again)
    return Meaningful(told, left_out, _note(found))


def _on_quantities(
    release: Release, kind: type[Measure], score: Score, found: Quantities
) -> Score | str:
    """The score on quantities, or why there is none."""
    if len(found.columns) < kind.least_columns:
        return Message(
            "report.needs_quantities",
            "needs a column of quantities; codes and ids have no mean and no correlation",
            many="needs {n} columns of quantities; codes and ids have no mean and no correlation",
            n=kind.least_columns,
        )
    if not found.left_out:
        return score
    with suppress(MicroveilError):
        measure = kind(columns=found.columns)
        return measure.score_pair(release.original, release.table)
    return Message(
        "report.could_measured_without_codes", "could not be measured without codes and ids"
    )


def _note(found: Quantities) -> str | None:
    if not found.left_out:
        return None
    reasons = dict.fromkeys(found.left_out.values())
    which = [
        compose(
            "{names:quoted} ({reason})",
            names=[name for name, one in found.left_out.items() if one == reason],
            reason=reason,
        )
        for reason in reasons
    ]
    return Message(
        "report.no_quantities",
        "Measures of numbers leave out columns that are no quantities: {which}.",
        which=join(which, "; "),
    )


def describe_score(kind: type[Measure], score: Score) -> dict[str, Any]:
    """A score as plain data, with its question, plain name and sentence."""
    columns = score.parts.get("columns")
    return {
        **plain(score.to_dict()),
        "columns": list(columns) if isinstance(columns, list) else [],
        "question": kind.question,
        "title": kind.title or kind.kind().replace("_", " ").capitalize(),
        "meaning": kind.plain or kind.summary(),
        "headline": kind.headline,
    }


def described_pair(name: str, before: Score | None, after: Score) -> dict[str, Any]:
    """A measure of risk before and after."""
    kind = RISK_MEASURES[after.measure if after.measure in RISK_MEASURES else name]
    told = {"after": describe_score(kind, after)}
    return told if before is None else {"before": plain(before.to_dict())} | told
