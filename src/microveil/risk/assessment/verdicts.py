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
from microveil.risk.assessment.attack_words import (
    LINKED,
    SINGLED_OUT,
    attempts,
    compared_with,
    guessed_value,
    in_population,
    statistics_included,
    used_columns,
)
from microveil.texts import Message

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
        text = Message("verdict.no_records", "The table has no records.")
        return tuple(Verdict(one, "low", text) for one in QUESTIONS)
    if not assessment.quasi_identifiers:
        text = Message("verdict.no_keys", "Not assessed: no quasi-identifiers are named.")
        return tuple(Verdict(one, "unknown", text) for one in QUESTIONS)
    chances = Chances.of(assessment, scores)
    return (
        _singled_out(assessment, chances),
        _judge_linkage(chances),
        _judge_inference(scores.get("attribute_disclosure"), assessment.n_records),
    )


def _singled_out(assessment: Assessment, chances: Chances) -> Verdict:
    if assessment.n_unique:
        return _unique(assessment, chances)
    many: dict[str, Any] = {"n": assessment.k - 1, "enough": assessment.acceptable_k - 1}
    if assessment.acceptable or chances.sampled:
        text = Message(
            "verdict.shared",
            "Every record shares its quasi-identifiers with 1 other or more.",
            many="Every record shares its quasi-identifiers with {n:,} others or more.",
            n=many["n"],
        )
        return Verdict("singling out", chances.level if chances.sampled else "low", text)
    if assessment.n_records <= many["enough"]:
        text = Message(
            "verdict.shared_in_a_small_table",
            "Every record shares its quasi-identifiers with 1 other or more; the table is too "
            "small for the {enough:,} that would be acceptable.",
            many="Every record shares its quasi-identifiers with {n:,} others or more; the table "
            "is too small for the {enough:,} that would be acceptable.",
            **many,
        )
        return Verdict("singling out", "medium", text)
    text = Message(
        "verdict.shared_by_few",
        "Every record shares its quasi-identifiers with 1 other or more; {enough:,} would be "
        "acceptable here.",
        many="Every record shares its quasi-identifiers with {n:,} others or more; {enough:,} "
        "would be acceptable here.",
        **many,
    )
    return Verdict("singling out", "medium", text)


def _unique(assessment: Assessment, chances: Chances) -> Verdict:
    n, share = assessment.n_unique, assessment.n_unique / assessment.n_records
    if not chances.sampled:
        text = Message(
            "verdict.unique",
            "1 record ({share:%}) is unique on its quasi-identifiers.",
            many="{n:,} records ({share:%}) are unique on their quasi-identifiers.",
            n=n,
            share=share,
        )
        return Verdict("singling out", "high", text)
    text = Message(
        "verdict.unique_in_sample",
        "1 record ({share:%}) is unique on its quasi-identifiers in this sample, but rarely in the "
        "population: the right person is found in at most {most:%} of cases.",
        many="{n:,} records ({share:%}) are unique on their quasi-identifiers in this sample, but "
        "rarely in the population: the right person is found in at most {most:%} of cases.",
        n=n,
        share=share,
        most=chances.highest,
    )
    return Verdict("singling out", chances.level, text)


def _judge_linkage(chances: Chances) -> Verdict:
    risks: dict[str, Any] = {
        "average": chances.average,
        "worst": chances.highest,
        "accepted": ACCEPTED_RISK,
    }
    if chances.sampled:
        text = Message(
            "verdict.linked_in_population",
            "An intruder who looks for a person of the population, not knowing who is in the "
            "sample, links the right record in {average:%} of cases on average, {worst:%} at "
            "worst; {accepted:%} is accepted for public data.",
            **risks,
        )
    else:
        text = Message(
            "verdict.linked",
            "An intruder who knows that a person is in the table links the right record in "
            "{average:%} of cases on average, {worst:%} at worst; {accepted:%} is accepted for "
            "public data.",
            **risks,
        )
    return Verdict("linkability", chances.level, text)


def _judge_inference(score: Score | None, n_records: int) -> Verdict:
    if score is None:
        text = Message(
            "verdict.not_measured", "Not assessed: attribute disclosure was not measured."
        )
        return Verdict("inference", "unknown", text)
    column = score.parts.get("column")
    if column is None:
        text = Message(
            "verdict.only_keys",
            "Not assessed: there are no columns other than the quasi-identifiers.",
        )
        return Verdict("inference", "unknown", text)
    share = score.value
    if share == 0:
        text = Message(
            "verdict.nothing_disclosed",
            "No sensitive value is disclosed by records with the same quasi-identifiers, beyond "
            "what the whole table reveals.",
        )
        return Verdict("inference", "low", text)
    level: Level = "low" if share <= FEW else "medium" if share <= LOW_RISK else "high"
    text = Message(
        "verdict.disclosed",
        "1 record has its value of '{column}' disclosed ({share:%}): all records with the same "
        "quasi-identifiers share it.",
        many="{n:,} records have their value of '{column}' disclosed ({share:%}): all records "
        "with the same quasi-identifiers share it.",
        n=round(share * n_records),
        column=column,
        share=share,
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
            _judge_attack("singling out", scores.get("singling_out"), SINGLED_OUT, chances),
            _judge_replicated(scores.get("replicated_uniques"), chances),
        ),
        _worse(
            _judge_attack("linkability", scores.get("linkability"), LINKED, chances),
            _judge_relinked(scores.get("record_linkage"), chances),
        ),
        _judge_attack(
            "inference", scores.get("inference"), guessed_value(scores.get("inference")), None
        ),
    )
    found = [_worse(one, other) for one, other in zip(attacked, counted, strict=True)]
    if not aligned and released is None and found[1].level == "low":
        text = Message(
            "verdict.not_relinked",
            "{sentence} Record linkage was not tried, as it needs the row order.",
            sentence=found[1].sentence,
        )
        found[1] = Verdict("linkability", "unknown", text)
    if not has_secrets:
        none = Message("verdict.nothing_sensitive", "The release has no sensitive column.")
        found[-1] = Verdict("inference", "low", none)
    return tuple(found)


def _worse(one: Verdict, other: Verdict | None) -> Verdict:
    """The worse of two answers to a question; the first in case of a tie."""
    if other is None or _RANKS[other.level] <= _RANKS[one.level]:
        return one
    return other


def _judge_replicated(score: Score | None, chances: Chances) -> Verdict | None:
    """People who are unique in the original and again in the release."""
    if score is None or not score.parts["n_replicated"]:
        return None
    n, share = score.parts["n_replicated"], score.value
    text = Message(
        "verdict.replicated",
        "1 person is unique on the same quasi-identifiers in the original and in the release "
        "({share:%}){borne}.",
        many="{n:,} people are unique on the same quasi-identifiers in the original and in the "
        "release ({share:%}){borne}.",
        n=n,
        share=share,
        borne=in_population(chances),
    )
    return Verdict("singling out", _level(share * chances.borne_out), text)


def _judge_relinked(score: Score | None, chances: Chances) -> Verdict | None:
    """Original records whose nearest released record is their own."""
    if score is None or not score.parts["n_records"] or not score.parts["n_columns"]:
        return None
    chance = float(score.parts["chance"])
    share = float(score.value)
    excess = max(share - chance, 0.0) / (1 - chance) if chance < 1 else share
    text = Message(
        "verdict.relinked",
        "An intruder who knows a person's original {columns} links the right record in {share:%} "
        "of cases, against {chance:%} by guessing{borne}.",
        columns=used_columns(score),
        share=share,
        chance=chance,
        borne=in_population(chances),
    )
    return Verdict("linkability", _level(excess * chances.borne_out), text)


def _level(risk: float) -> Level:
    return "low" if risk <= LOW_RISK else "medium" if risk <= HIGH_RISK else "high"


def _judge_attack(
    question: str, score: Score | None, text: str, chances: Chances | None
) -> Verdict:
    if score is None:
        skipped = Message(
            "verdict.attack_skipped", "{text}: the attack was not carried out.", text=text
        )
        return Verdict(question, "unknown", skipped)
    if not score.parts.get("n_attacks"):
        return _without_attempts(question, score, text)
    risk, against = score.value, score.parts["against"]
    reference = score.parts[against]["rate"]
    low, high = score.interval or (risk, risk)
    factor = 1.0 if chances is None else chances.borne_out
    level = _level(risk * factor)
    if reference < 1 and {_level(low * factor), _level(high * factor)} == {"low", "high"}:
        level = "unknown"
        text = Message("verdict.too_few", "Too few attempts to tell. {text}", text=text)
    told = Message(
        "verdict.attack",
        "{text} in {share:%} of {attempts}, against {reference:%} {compared}: a risk of {risk:%} "
        "(between {low:%} and {high:%}){borne}.{inference}",
        text=text,
        share=score.parts["attack"]["rate"],
        attempts=attempts(score.parts["n_attacks"]),
        reference=reference,
        compared=compared_with(against),
        risk=risk,
        low=low,
        high=high,
        borne=in_population(chances),
        inference=statistics_included()
        if question == "inference" and against == "baseline"
        else "",
    )
    return Verdict(question, level, told)


def _without_attempts(question: str, score: Score, text: str) -> Verdict:
    """A search that finds no query is a result; an attack without targets is not."""
    if score.parts.get("n_tried"):
        found = Message(
            "verdict.no_query",
            "{text}: no query that matches exactly one released record was found.",
            text=text,
        )
        return Verdict(question, "low", found)
    none = Message("verdict.no_attack", "{text}: no attack could be carried out.", text=text)
    return Verdict(question, "unknown", none)
