"""Limits on measures, checked on a release: like models, each with a result in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from microveil.errors import InputError
from microveil.measures.subject import Subject
from microveil.measures.taking import take
from microveil.privacy import Check
from microveil.recipes import MeasureRequirement, Recipe
from microveil.scores import Score
from microveil.tables import Table
from microveil.texts import Message, without_point


@dataclass(frozen=True, eq=False, repr=False)
class MeasureCheck(Check):
    """Whether a measure is within its limit; one that cannot be taken is not."""

    meaning: str = ""
    """What the measure means, in one line."""
    reason: str = ""
    """Why it could not be taken."""

    def sentence(self) -> str:
        """The result in words, without any cell values."""
        if self.reason:
            return Message(
                "check.not_measured",
                "{title} does not hold: it could not be measured ({reason}).",
                title=self.title,
                reason=without_point(self.reason),
            )
        if self.holds:
            return Message(
                "check.limit_holds",
                "{title} holds (reached {reached:.6g}).",
                title=self.title,
                reached=self.achieved,
            )
        return Message(
            "check.limit_broken",
            "{title} does not hold (reached {reached:.6g}).",
            title=self.title,
            reached=self.achieved,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain = {"measure": self.model, "limit": self.title} | super().to_dict()
        return plain | {"reason": self.reason} if self.reason else plain


def check_limits(recipe: Recipe, original: Table, released: Table) -> tuple[Check, ...]:
    """Check every limit of the recipe on the released data, compared with the original.

    A measure that does not apply, fails, or counts classes where class sizes are not valid evidence
    fails its limit.
    """
    if not recipe.limits:
        return ()
    subject = Subject.made_by(recipe, original, released)
    named = {str(place): limit.spec for place, limit in enumerate(recipe.limits)}
    taken = take(named, subject)
    why = {**taken.skipped, **taken.invalid}
    return tuple(
        check
        for place, required in enumerate(recipe.limits)
        for check in limit_checks(
            required, taken.scores.get(str(place)), why.get(str(place), ""), released.height
        )
    )


def limit_checks(
    required: MeasureRequirement, score: Score | None, reason: str, n_records: int
) -> Iterator[MeasureCheck]:
    """A check for each limit on a measure; without a score none of them holds."""
    reached: tuple[float, ...] = ()
    if score is not None:
        try:
            reached = required.reached(score)
        except InputError as error:
            reason = error.message
    for place, limit in enumerate(required.limits):
        value = reached[place] if reached else np.inf
        yield MeasureCheck(
            model=required.spec.kind(),
            title=limit.words,
            required=limit.required,
            achieved=value,
            broken_in=np.zeros(0, dtype=np.int64),
            n_broken=0,
            n_records=n_records,
            kept_as_a_whole=bool(reached) and limit.holds(value),
            meaning=type(required.spec).summary(),
            reason="" if reached else reason,
        )
