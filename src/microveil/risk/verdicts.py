"""Verdicts: what the measures say about singling out, linkability and inference, in words.

The three questions are those of the Article 29 Working Party (Opinion 05/2014): can somebody be
singled out, can records about somebody be linked, can something be inferred about somebody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from microveil.risk.assessment import Assessment
    from microveil.scores import Score

Level = Literal["low", "medium", "high", "unknown"]

ACCEPTED_RISK = 0.09
"""Highest chance of re-identification that regulators accept for public data (EMA policy 0070)."""
LOW_RISK = 0.05
HIGH_RISK = 0.2
"""Excess of an attack over its reference, or share of people whose value is given away."""


@dataclass(frozen=True)
class Verdict:
    """One question, how bad it stands, and why."""

    question: str
    level: Level
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"question": self.question, "level": self.level, "sentence": self.sentence}


def table_verdicts(assessment: Assessment, scores: Mapping[str, Score]) -> tuple[Verdict, ...]:
    """What class sizes and disclosed values say about a table as it is."""
    if assessment.n_records == 0:
        return tuple(
            Verdict(question, "low", "The table has no records.")
            for question in ("singling out", "linkability", "inference")
        )
    return (
        _singled_out(assessment),
        _linked(scores.get("reidentification_risk"), assessment),
        _inferred(scores.get("attribute_disclosure")),
    )


def _singled_out(assessment: Assessment) -> Verdict:
    k, alone = assessment.k, assessment.n_unique
    if alone:
        share = _percent(alone / assessment.n_records)
        text = f"{alone:,} records ({share}) are alone with their quasi-identifiers."
        return Verdict("singling out", "high", text)
    enough = assessment.acceptable_k
    text = f"Every record shares its quasi-identifiers with {k - 1:,} others or more"
    if assessment.acceptable:
        return Verdict("singling out", "low", f"{text}.")
    return Verdict("singling out", "medium", f"{text}; {enough - 1} would be acceptable here.")


def _linked(score: Score | None, assessment: Assessment) -> Verdict:
    if score is None:
        average = assessment.n_classes / assessment.n_records
        highest = 1 / assessment.k if assessment.k else 0.0
    else:
        average = float(score.parts["prosecutor"]["average"])
        highest = float(score.parts["prosecutor"]["highest"])
    level: Level = "low" if highest <= ACCEPTED_RISK else "high"
    if level == "high" and average <= ACCEPTED_RISK:
        level = "medium"
    text = (
        f"Whoever knows that a person is in the table links the right record in "
        f"{_percent(average)} of cases on average, {_percent(highest)} at worst; "
        f"{_percent(ACCEPTED_RISK)} is accepted for public data."
    )
    return Verdict("linkability", level, text)


def _inferred(score: Score | None) -> Verdict:
    if score is None:
        text = "Not assessed: name the sensitive columns in the roles."
        return Verdict("inference", "unknown", text)
    share = score.value
    level: Level = "low" if share == 0 else "medium" if share <= LOW_RISK else "high"
    column = score.parts.get("column")
    where = f" of '{column}'" if column else ""
    text = (
        f"{_percent(share)} of records have their value{where} given away by records with the same "
        "quasi-identifiers, who all share it."
    )
    return Verdict("inference", level, text)


def pair_verdicts(scores: Mapping[str, Score]) -> tuple[Verdict, ...]:
    """What attacks on a release say; questions whose attack was not made are unknown."""
    asked = {
        "singling out": ("singling_out", "Questions made from the release single one person out"),
        "linkability": ("linkability", "Two sources about a person are linked through the release"),
        "inference": ("inference", "A person's sensitive value is guessed from the release"),
    }
    return tuple(
        _attacked(question, scores.get(name), text) for question, (name, text) in asked.items()
    )


def _attacked(question: str, score: Score | None, text: str) -> Verdict:
    if score is None or not score.parts.get("n_attacks"):
        reason = "no attack could be made" if score is not None else "the attack was not made"
        return Verdict(question, "unknown" if score is None else "low", f"{text}: {reason}.")
    risk, against = score.value, score.parts["against"]
    level: Level = "low" if risk <= LOW_RISK else "medium" if risk <= HIGH_RISK else "high"
    attack, reference = score.parts["attack"]["rate"], score.parts[against]["rate"]
    compared = "by guessing" if against == "baseline" else "of people the release never saw"
    low, high = score.interval or (risk, risk)
    return Verdict(
        question,
        level,
        f"{text} in {_percent(attack)} of {score.parts['n_attacks']:,} attempts, against "
        f"{_percent(reference)} {compared}: a risk of {_percent(risk)} "
        f"(between {_percent(low)} and {_percent(high)}).",
    )


def _percent(share: float) -> str:
    """A share as text; what rounds to nothing or to all is said to be near it.

    >>> _percent(0.25), _percent(0.00001), _percent(0.99999), _percent(1.0)
    ('25 %', 'below 0.1 %', 'above 99.9 %', '100 %')
    """
    percent = 100 * share
    if 0 < percent < 0.1:  # noqa: PLR2004  the last digit shown
        return "below 0.1 %"
    if 99.9 < percent < 100:  # noqa: PLR2004  likewise
        return "above 99.9 %"
    return f"{percent:.3g} %"
