"""Limits on measures with given draws of an attack's targets, and with room for chance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from microveil.errors import MicroveilError
from microveil.measures.base import Measure
from microveil.measures.scenarios import seen_by_each
from microveil.measures.subject import Subject
from microveil.measures.taking import score_of, take
from microveil.privacy import Check
from microveil.recipes import MeasureRequirement
from microveil.release.limits import limit_checks
from microveil.risk.attacks.base import AttackMeasure
from microveil.scores import Score

SURE = 1.645
"""Standard errors between what is reached and a ceiling: one in twenty fresh draws is beyond."""


def drawn_checks(
    required: MeasureRequirement, subject: Subject, draws: Sequence[int]
) -> Iterator[Check]:
    """Check a limit, an attack with each of the draws; of several, the mean with room for chance.

    Other measures draw nothing, and are taken once.
    """
    for scenario, measure, seen in seen_by_each(required.spec, subject):
        score, reason = _score_of(measure, seen, draws)
        yield from limit_checks(required, score, reason, subject.released.height, scenario)


def _score_of(measure: Measure, seen: Subject, draws: Sequence[int]) -> tuple[Score | None, str]:
    if not isinstance(measure, AttackMeasure):
        taken = take([measure], seen, records=False)
        (score,) = taken.scores.values() or (None,)
        (reason,) = (*taken.skipped.values(), *taken.invalid.values()) or ("",)
        return score, reason
    try:
        with seen.in_its_folder():
            treated = measure.with_treatment(seen)
            scores = [treated.score_drawn(seen.reading, draw) for draw in draws]
    except MicroveilError as error:
        return None, error.message
    return _with_room(scores, measure.n_attacks, seen), ""


def _with_room(scores: Sequence[Score], n_attacks: int, seen: Subject) -> Score:
    """One score: that of one draw; of several the mean, plus what chance may add."""
    if len(scores) == 1:
        return scores[0]
    values = [one.value for one in scores]
    mean = sum(values) / len(values)
    n_people = seen.released.height if seen.original is None else seen.original.height
    drawn = min(n_attacks, max(n_people, 1))
    # If everybody is attacked, draws differ in ties alone.
    sampled = 0.0 if drawn >= n_people else 1 - drawn / n_people
    share = min(max(mean, 1 / drawn), 1 - 1 / drawn) if drawn > 1 else mean
    spread = math.sqrt(sum((one - mean) ** 2 for one in values) / (len(values) - 1))
    room = SURE * max(spread, math.sqrt(max(share * (1 - share), 0.0) / drawn * sampled))
    ends = [one.interval[1] for one in scores if one.interval is not None]
    upper = max(ends, default=mean)
    return replace(scores[0], value=mean + room, interval=(min(values), max(upper, mean + room)))


def score_alone(measure: Measure, subject: Subject) -> float | None:
    """The value of a measure; None where it does not apply."""
    try:
        return score_of(measure, subject).value
    except MicroveilError:
        return None
