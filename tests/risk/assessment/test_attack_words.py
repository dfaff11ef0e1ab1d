from __future__ import annotations

from microveil.risk.assessment.attack_words import (
    attempts,
    compared_with,
    guessed_value,
    in_population,
)
from microveil.risk.assessment.verdicts import Chances
from microveil.scores import Score
from microveil.texts import translate


def test_attempts_are_counted_in_words() -> None:
    assert attempts(1) == "1 attempt"
    assert attempts(2000) == "2,000 attempts"
    assert translate(attempts(2000), "es") == "2000 intentos"


def test_an_attack_is_compared_with_guessing_or_with_other_people() -> None:
    assert compared_with("baseline") == "by guessing"
    assert compared_with("control") == "for people who were not in the data"


def test_the_value_that_is_guessed_has_a_name_where_it_is_known() -> None:
    score = Score("inference", 0.5, scale="share", better="lower", parts={"secret": "disease"})
    assert guessed_value(score) == "A person's value of 'disease' is guessed from the release"
    assert guessed_value(None) == "A person's value is guessed from the release"


def test_only_a_sample_is_judged_against_its_population() -> None:
    assert in_population(None) == in_population(Chances(0.5, 1, sampled=False)) == ""
    told = in_population(Chances(0.5, 1, sampled=True, borne_out=0.0001))
    assert told == "; 0.01% of the matches within this sample hold in the population"
