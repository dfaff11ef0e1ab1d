"""The report's first sentence: which requirements hold, and what attacks still find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from microveil.reports.words.spec_words import QUESTIONS
from microveil.texts import Message, compose, join_and

if TYPE_CHECKING:
    from microveil.privacy import Check
    from microveil.release import Release

RANKS = {"high": 2, "medium": 1}
MOST_KEYS = 6
"""Keys that the sentence names."""


def opening(release: Release, verdicts: Sequence[Mapping[str, Any]]) -> str:
    """Requirements and attacks in one sentence, so that neither is read without the other."""
    head = compose(
        "{head}{known}", head=_requirements(release.checks), known=_intruder_knowledge(release)
    )
    worst = max(verdicts, key=lambda one: RANKS.get(one["level"], 0), default=None)
    if worst is None:
        return compose("{head}.", head=head)
    if not RANKS.get(worst["level"], 0):
        return _low(head, [one["question"] for one in verdicts if one["level"] == "unknown"])
    found = worst["sentence"]
    if not all(check.holds for check in release.checks):
        return Message("opening.and", "{head}, and {found:small}", head=head, found=found)
    if not release.checks:
        return Message("opening.but", "{head}; but {found:small}", head=head, found=found)
    return Message(
        "opening.both",
        "{head}; but {found:small} Both are true: a requirement counts records with the same "
        "quasi-identifiers; an attack uses whatever else is known.",
        head=head,
        found=found,
    )


def _low(head: str, unsure: Sequence[str]) -> str:
    if not unsure:
        return Message("opening.low", "{head}; attacks on the release found a low risk.", head=head)
    return Message(
        "opening.low_unsure",
        "{head}; attacks on the release found a low risk ({unsure} could not be judged).",
        head=head,
        unsure=join_and([QUESTIONS[one] for one in unsure]),
    )


def _requirements(checks: Sequence[Check]) -> str:
    if not checks:
        return Message("opening.nothing", "Nothing was required of this release")
    broken = list(dict.fromkeys(check.title for check in checks if not check.holds))
    if broken:
        return Message(
            "opening.broken",
            "{names} does not hold",
            many="{names} do not hold",
            n=len(broken),
            names=join_and(broken),
        )
    names = list(dict.fromkeys(check.title for check in checks))
    return Message(
        "opening.holds", "{names} holds", many="{names} hold", n=len(names), names=join_and(names)
    )


def _intruder_knowledge(release: Release) -> str:
    """What the intruder is assumed to know."""
    keys = release.table.roles.quasi_identifiers
    if not release.recipe.models or not keys:
        return ""
    shown = (
        join_and(keys)
        if len(keys) <= MOST_KEYS
        else Message("opening.keys", "the {n} quasi-identifiers", n=len(keys))
    )
    return Message("opening.known", " against whoever knows {keys}", keys=shown)
