"""Limits on measures, checked on a release: like models, each with a result in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from microveil.errors import InputError
from microveil.measures.scenarios import seen_by_each
from microveil.measures.subject import Subject
from microveil.measures.taking import MeasuresTaken, take
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
    plain: str = ""
    """The limit in words for everybody, without settings of the measure."""
    faults: tuple[str, ...] = ()
    """The columns that are to blame, if the measure tells."""

    def sentence(self) -> str:
        """The result in words, without any cell values."""
        where: str = ""
        if self.scenario:
            where = Message("check.scenario", " for scenario '{name}'", name=self.scenario)
        if self.reason:
            return Message(
                "check.not_measured",
                "{title} does not hold{where}: it could not be measured ({reason}).",
                title=self.title,
                where=where,
                reason=without_point(self.reason),
            )
        told: dict[str, Any] = {"title": self.title, "where": where, "reached": self.achieved}
        told["blamed"] = self._because_of()
        if self.holds:
            return Message(
                "check.limit_holds", "{title} holds{where} (reached {reached:.6g}{blamed}).", **told
            )
        return Message(
            "check.limit_broken",
            "{title} does not hold{where} (reached {reached:.6g}{blamed}).",
            **told,
        )

    def _because_of(self) -> str:
        """Columns because of which a limit is not kept."""
        if not self.faults:
            return ""
        return Message(
            "check.because_of", ", because of column {names:quoted}", names=tuple(self.faults)
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain = {"measure": self.model, "limit": self.title} | super().to_dict()
        return plain | {"reason": self.reason} if self.reason else plain


def check_limits(
    recipe: Recipe, original: Table, released: Table, only: MeasureRequirement | None = None
) -> tuple[Check, ...]:
    """Check every limit of the recipe on the released data, compared with the original.

    It must hold for the quasi-identifiers and, where the measure depends on what is known, for
    each scenario.
    A measure that does not apply, fails, or counts classes where class sizes are not valid evidence
    fails its limit. With ``only``, one of the limits is checked.
    """
    if not recipe.limits:
        return ()
    subject = Subject.made_by(recipe, original, released)
    return tuple(
        check
        for required in (recipe.limits if only is None else (only,))
        for scenario, measure, seen in seen_by_each(required.spec, subject)
        for check in _check_limit(required, scenario, take([measure], seen), released.height)
    )


def _check_limit(
    required: MeasureRequirement, scenario: str | None, taken: MeasuresTaken, n_records: int
) -> Iterator[MeasureCheck]:
    """A check for each limit on a measure that was taken, or could not be."""
    (score,) = taken.scores.values() or (None,)
    (reason,) = (*taken.skipped.values(), *taken.invalid.values()) or ("",)
    return limit_checks(required, score, reason, n_records, scenario)


def limit_checks(
    required: MeasureRequirement,
    score: Score | None,
    reason: str,
    n_records: int,
    scenario: str | None = None,
) -> Iterator[MeasureCheck]:
    """A check for each limit on a measure; without a score none of them holds."""
    reached: tuple[float, ...] = ()
    if score is not None:
        try:
            reached = required.compared_values(score)
        except InputError as error:
            reason = error.message
    for place, limit in enumerate(required.limits):
        value = reached[place] if reached else np.inf
        yield MeasureCheck(
            model=required.spec.kind(),
            title=limit.words,
            plain=limit.plain,
            required=limit.required,
            achieved=value,
            broken_in=np.zeros(0, dtype=np.int64),
            n_broken=0,
            n_records=n_records,
            scenario=scenario,
            kept_as_a_whole=bool(reached) and limit.holds(value),
            meaning=type(required.spec).summary(),
            reason="" if reached else reason,
            faults=() if score is None else required.spec.faults(score),
        )
