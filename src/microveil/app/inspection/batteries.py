"""Batteries: many columns that are answers to questions of one kind, numbered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from microveil.app.inspection.limits import BATTERY, FEW_CATEGORIES
from microveil.app.inspection.suggestion import Suggestion
from microveil.texts import Message

_NUMBERED = re.compile(r"^(.*?)[ _.-]?\d+[a-z]?$", re.IGNORECASE)


def judge_batteries(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Answers to numbered questions are confidential: one may be known, not all of them.

    As keys, dozens of them would leave nothing of each other, nor of age and region.
    """
    stems = [_stem(found) for found in suggestions]
    counted = {stem: stems.count(stem) for stem in set(stems) if stem is not None}
    return [
        found if stem is None or counted[stem] < BATTERY else _as_answer(found, counted[stem])
        for found, stem in zip(suggestions, stems, strict=True)
    ]


def _stem(found: Suggestion) -> str | None:
    """What precedes the number, of columns with few values that nothing else is known about."""
    if found.kind is not None or found.role != "quasi_identifier":
        return None
    if found.column.counts.n_distinct > FEW_CATEGORIES:
        return None
    matched = _NUMBERED.match(found.name)
    return None if matched is None else matched[1].lower()


def _as_answer(found: Suggestion, n: int) -> Suggestion:
    reason = Message(
        "inspect.one_of_a_battery",
        "one of {n} numbered columns with few values: answers that nobody knows all of; "
        "confidential",
        n=n,
    )
    return replace(found, role="sensitive", reasons=(reason,))
