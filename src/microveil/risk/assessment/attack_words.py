"""What an attack on a release found, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.errors import listing
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.risk.assessment.verdicts import Chances
    from microveil.scores import Score

MOST_NAMED = 6
"""Columns that a sentence names."""
SINGLED_OUT = Message(
    "verdict.attack_singling_out", "Queries derived from the release single out one person"
)
LINKED = Message(
    "verdict.attack_linkability", "Two sources about a person are linked through the release"
)


def guessed_value(score: Score | None) -> Message:
    """What an inference attack guesses."""
    column = None if score is None else score.parts.get("secret")
    if column is None:
        return Message("verdict.attack_inference", "A person's value is guessed from the release")
    return Message(
        "verdict.attack_inference_of",
        "A person's value of '{column}' is guessed from the release",
        column=column,
    )


def in_population(chances: Chances | None) -> str:
    """How many matches within the sample hold in the population, in words."""
    if chances is None or not chances.sampled:
        return ""
    return Message(
        "verdict.borne_out",
        "; {share:%} of the matches within this sample hold in the population",
        share=chances.borne_out,
    )


def attempts(n: int) -> Message:
    """How often it was tried."""
    return Message("verdict.attempts", "1 attempt", many="{n:,} attempts", n=n)


def compared_with(against: str) -> Message:
    """What its success is compared with."""
    if against == "baseline":
        return Message("verdict.by_guessing", "by guessing")
    return Message("verdict.for_others", "for people who were not in the data")


def statistics_included() -> Message:
    """What counts as well if there is no control."""
    return Message(
        "verdict.statistics",
        " This includes statistical inference: without a control, what the release reveals about "
        "people who are not in it counts as well.",
    )


def used_columns(score: Score) -> str:
    """The columns that an attack used; the first of them if they are many."""
    named = listing(score.parts.get("columns", ()), MOST_NAMED)
    return named or Message("verdict.values", "values")
