"""Verdicts: what the measures imply for singling out, linkability and inference, in words.

The three questions are those of the Article 29 Working Party (Opinion 05/2014): can a person be
singled out, can records about a person be linked, can something be inferred about a person. If
several measures address a question, the worst one decides.

A sample is judged against its population: a person who is unique in a sample of one in five hundred
is rarely unique in the population. If weights or the population size are known, the journalist risk
decides, and successful attacks on the sample count only as far as they hold in the population.
Attacks whose interval reaches from low to high prove nothing: there were too few attempts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from microveil.display import Card, Shown
from microveil.errors import listing

if TYPE_CHECKING:
    from microveil.risk.assessment.assessment import Assessment
    from microveil.scores import Score

Level = Literal["low", "medium", "high", "unknown"]

ACCEPTED_RISK = 0.09
"""Highest re-identification risk that regulators accept for public data (EMA policy 0070)."""
LOW_RISK = 0.05
HIGH_RISK = 0.2
"""Excess of an attack over its reference, or share of people whose value is disclosed."""
FEW = 0.01
"""Share of people with a disclosed value that is put down to chance rather than the release."""

MOST_NAMED = 6
"""Columns that a sentence names."""

QUESTIONS = ("singling out", "linkability", "inference")
_RANKS: Mapping[Level, int] = {"unknown": 0, "low": 1, "medium": 2, "high": 3}


@dataclass(frozen=True, repr=False)
class Verdict(Shown):
    """One question, the level of risk, and why."""

    question: str
    level: Level
    sentence: str

    def card(self) -> Card:
        """The question, the level of risk, and why."""
        return Card(f"{self.question}: {self.level}. {self.sentence}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"question": self.question, "level": self.level, "sentence": self.sentence}


@dataclass(frozen=True)
class Chances:
    """Probability of finding the right person by their keys."""

    average: float
    highest: float
    sampled: bool
    """Whether the population has people who are not in the table."""
    borne_out: float = 1.0
    """Share of matches within the table that hold in the population."""

    @classmethod
    def of(cls, assessment: Assessment | None, scores: Mapping[str, Score]) -> Chances:
        """As measured; otherwise from the classes, with the table as the population."""
        score = scores.get("reidentification_risk")
        if score is not None:
            prosecutor, journalist = score.parts["prosecutor"], score.parts["journalist"]
            if journalist["average"] < prosecutor["average"] * (1 - ROUNDING):
                left = float(journalist["average"]) / float(prosecutor["average"])
                found = float(journalist["average"]), float(journalist["highest"])
                return cls(*found, sampled=True, borne_out=left)
            return cls(float(prosecutor["average"]), float(prosecutor["highest"]), sampled=False)
        if assessment is None or not assessment.n_records:
            return cls(0.0, 0.0, sampled=False)
        average = assessment.average_risk
        single = scores.get("individual_risk")
        if single is not None and _people_outside(single):
            mean, highest = float(single.parts["global_risk"]), float(single.parts["highest_risk"])
            return cls(mean, highest, sampled=True, borne_out=min(mean / average, 1.0))
        return cls(average, assessment.standing.highest_risk, sampled=False)

    @property
    def level(self) -> Level:
        """Low if even the highest risk is acceptable, medium if the average is."""
        if self.highest <= ACCEPTED_RISK + ROUNDING:
            return "low"
        return "medium" if self.average <= ACCEPTED_RISK else "high"


ROUNDING = 1e-9


def _people_outside(score: Score) -> bool:
    """Whether the population of an individual risk estimate is larger than the table."""
    size = score.parts.get("population_size")
    return size is not None and size > score.parts["n_people"] * (1 + ROUNDING)


def table_verdicts(assessment: Assessment, scores: Mapping[str, Score]) -> tuple[Verdict, ...]:
    """Judge a table by its class sizes and disclosed values."""
    if assessment.n_records == 0:
        return tuple(Verdict(one, "low", "The table has no records.") for one in QUESTIONS)
    if not assessment.quasi_identifiers:
        text = "Not assessed: no quasi-identifiers are named."
        return tuple(Verdict(one, "unknown", text) for one in QUESTIONS)
    chances = Chances.of(assessment, scores)
    return (
        _singled_out(assessment, chances),
        _linked(chances),
        _inferred(scores.get("attribute_disclosure"), assessment.n_records),
    )


def _singled_out(assessment: Assessment, chances: Chances) -> Verdict:
    k, alone = assessment.k, assessment.n_unique
    if alone:
        share = _percent(alone / assessment.n_records)
        one = f"1 record ({share}) is unique on its"
        who = one if alone == 1 else f"{alone:,} records ({share}) are unique on their"
        if not chances.sampled:
            return Verdict("singling out", "high", f"{who} quasi-identifiers.")
        text = (
            f"{who} quasi-identifiers in this sample, but rarely in the population: the right "
            f"person is found in at most {_percent(chances.highest)} of cases."
        )
        return Verdict("singling out", chances.level, text)
    others = "1 other" if k == 2 else f"{k - 1:,} others"  # noqa: PLR2004  oneself and another
    text = f"Every record shares its quasi-identifiers with {others} or more"
    if assessment.acceptable or chances.sampled:
        level = chances.level if chances.sampled else "low"
        return Verdict("singling out", level, f"{text}.")
    enough = assessment.acceptable_k - 1
    if assessment.n_records <= enough:
        text += f"; the table is too small for the {enough:,} that would be acceptable"
        return Verdict("singling out", "medium", f"{text}.")
    return Verdict("singling out", "medium", f"{text}; {enough:,} would be acceptable here.")


def _linked(chances: Chances) -> Verdict:
    who = (
        "An intruder who looks for a person of the population, not knowing who is in the sample,"
        if chances.sampled
        else "An intruder who knows that a person is in the table"
    )
    text = (
        f"{who} links the right record in {_percent(chances.average)} of cases on average, "
        f"{_percent(chances.highest)} at worst; {_percent(ACCEPTED_RISK)} is accepted for public "
        "data."
    )
    return Verdict("linkability", chances.level, text)


def _inferred(score: Score | None, n_records: int) -> Verdict:
    if score is None:
        text = "Not assessed: attribute disclosure was not measured."
        return Verdict("inference", "unknown", text)
    column = score.parts.get("column")
    if column is None:
        text = "Not assessed: there are no columns other than the quasi-identifiers."
        return Verdict("inference", "unknown", text)
    share = score.value
    if share == 0:
        text = (
            "No sensitive value is disclosed by records with the same quasi-identifiers, beyond "
            "what the whole table reveals."
        )
        return Verdict("inference", "low", text)
    level: Level = "low" if share <= FEW else "medium" if share <= LOW_RISK else "high"
    n_given = round(share * n_records)
    who = "1 record has its" if n_given == 1 else f"{n_given:,} records have their"
    text = (
        f"{who} value of '{column}' disclosed ({_percent(share)}): all records with the same "
        "quasi-identifiers share it."
    )
    return Verdict("inference", level, text)


def pair_verdicts(
    scores: Mapping[str, Score],
    released: Assessment | None = None,
    *,
    has_secrets: bool = True,
    aligned: bool = True,
) -> tuple[Verdict, ...]:
    """Judge a release by attacks, and by its classes if these may be counted (``released``).

    Questions that no measure addresses are unknown. Without sensitive columns in the release
    (``has_secrets``) there is nothing to infer. If rows are in a different order (``aligned``),
    record linkage could not be tried, so unless classes may be counted there is no evidence that
    linkability is low.
    """
    counted: tuple[Verdict | None, ...] = (None, None, None)
    if released is not None and released.quasi_identifiers:
        counted = table_verdicts(released, scores)
    chances = Chances.of(released, scores)
    attacked = (
        _worse(
            _attacked("singling out", scores.get("singling_out"), _SINGLED_OUT, chances),
            _replicated(scores.get("replicated_uniques"), chances),
        ),
        _worse(
            _attacked("linkability", scores.get("linkability"), _LINKED, chances),
            _relinked(scores.get("record_linkage"), chances),
        ),
        _attacked("inference", scores.get("inference"), _secret(scores.get("inference")), None),
    )
    found = [_worse(one, other) for one, other in zip(attacked, counted, strict=True)]
    if not aligned and released is None and found[1].level == "low":
        text = f"{found[1].sentence} Record linkage was not tried, as it needs the row order."
        found[1] = Verdict("linkability", "unknown", text)
    if not has_secrets:
        found[-1] = Verdict("inference", "low", "The release has no sensitive column.")
    return tuple(found)


_SINGLED_OUT = "Queries derived from the release single out one person"
_LINKED = "Two sources about a person are linked through the release"


def _secret(score: Score | None) -> str:
    column = None if score is None else score.parts.get("secret")
    what = "value" if column is None else f"value of '{column}'"
    return f"A person's {what} is guessed from the release"


def _worse(one: Verdict, other: Verdict | None) -> Verdict:
    """The worse of two answers to a question; the first in case of a tie."""
    if other is None or _RANKS[other.level] <= _RANKS[one.level]:
        return one
    return other


def _replicated(score: Score | None, chances: Chances) -> Verdict | None:
    """People who are unique in the original and again in the release."""
    if score is None or not score.parts["n_replicated"]:
        return None
    n, share = score.parts["n_replicated"], score.value
    who = "1 person is" if n == 1 else f"{n:,} people are"
    text = (
        f"{who} unique on the same quasi-identifiers in the original and in the release "
        f"({_percent(share)}){_in_population(chances)}."
    )
    return Verdict("singling out", _level(share * chances.borne_out), text)


def _relinked(score: Score | None, chances: Chances) -> Verdict | None:
    """Original records whose nearest released record is their own."""
    if score is None or not score.parts["n_records"] or not score.parts["n_columns"]:
        return None
    chance = float(score.parts["chance"])
    share = float(score.value)
    excess = max(share - chance, 0.0) / (1 - chance) if chance < 1 else share
    text = (
        f"An intruder who knows a person's original {_columns(score)} links the right record in "
        f"{_percent(share)} of cases, against {_percent(chance)} by guessing"
        f"{_in_population(chances)}."
    )
    return Verdict("linkability", _level(excess * chances.borne_out), text)


def _columns(score: Score) -> str:
    """The columns that an attack used; the first of them if they are many."""
    return listing(score.parts.get("columns", ()), MOST_NAMED) or "values"


def _in_population(chances: Chances | None) -> str:
    """How many matches within the sample hold in the population, in words."""
    if chances is None or not chances.sampled:
        return ""
    return (
        f"; {_percent(chances.borne_out)} of the matches within this sample hold in the population"
    )


def _level(risk: float) -> Level:
    return "low" if risk <= LOW_RISK else "medium" if risk <= HIGH_RISK else "high"


def _attacked(question: str, score: Score | None, text: str, chances: Chances | None) -> Verdict:
    if score is None:
        return Verdict(question, "unknown", f"{text}: the attack was not carried out.")
    n = score.parts.get("n_attacks")
    if not n:
        # A search that finds no query is a result; an attack without targets is not.
        tried = bool(score.parts.get("n_tried"))
        found = "no query that matches exactly one released record was found"
        reason = found if tried else "no attack could be carried out"
        return Verdict(question, "low" if tried else "unknown", f"{text}: {reason}.")
    risk, against = score.value, score.parts["against"]
    attack, reference = score.parts["attack"]["rate"], score.parts[against]["rate"]
    compared = "by guessing" if against == "baseline" else "for people who were not in the data"
    low, high = score.interval or (risk, risk)
    factor = 1.0 if chances is None else chances.borne_out
    level = _level(risk * factor)
    if reference < 1 and {_level(low * factor), _level(high * factor)} == {"low", "high"}:
        level, text = "unknown", f"Too few attempts to tell. {text}"
    attempts = "1 attempt" if n == 1 else f"{n:,} attempts"
    statistics = ""
    if question == "inference" and against == "baseline":
        statistics = (
            " This includes statistical inference: without a control, what the release reveals "
            "about people who are not in it counts as well."
        )
    return Verdict(
        question,
        level,
        f"{text} in {_percent(attack)} of {attempts}, against "
        f"{_percent(reference)} {compared}: a risk of {_percent(risk)} "
        f"(between {_percent(low)} and {_percent(high)}){_in_population(chances)}.{statistics}",
    )


def _percent(share: float) -> str:
    """Format a share; values that round to none or all are given as bounds.

    >>> _percent(0.25), _percent(0.00001), _percent(0.99999), _percent(1.0)
    ('25 %', 'below 0.1 %', 'above 99.9 %', '100 %')
    """
    percent = 100 * share
    if 0 < percent < 0.1:  # noqa: PLR2004  the last digit shown
        return "below 0.1 %"
    if 99.9 < percent < 100:  # noqa: PLR2004  likewise
        return "above 99.9 %"
    return f"{percent:.3g} %"
