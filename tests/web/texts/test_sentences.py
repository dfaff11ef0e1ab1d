"""Sentences of the library reach the person in the language of the pages."""

from __future__ import annotations

from dataclasses import replace
from string import Formatter
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app.inspection.detectors import DETECTORS
from microveil.measures.subject import Subject
from microveil.measures.taking import take
from microveil.web.project.examples import adult, patients
from microveil.web.texts.es.sentences import SENTENCES
from microveil.web.texts.sentences import listed, said


def _gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_no_translation_has_a_gap_that_nothing_fills() -> None:
    for english, spanish in SENTENCES.items():
        assert _gaps(spanish) <= _gaps(english), english


def test_what_is_not_known_and_what_is_english_stays_as_it_is() -> None:
    assert said("es", "A sentence of tomorrow.") == "A sentence of tomorrow."
    assert said("en", "The table has no records.") == "The table has no records."
    assert said("es", "The table has no records.") == "La tabla no tiene registros."


def test_gaps_are_translated_too() -> None:
    broken = "3-anonymity does not hold: 12 of 4310 records break it (required 3, reached 1)."
    assert said("es", broken) == (
        "No se cumple: 3-anonimato; 12 de 4310 registros lo incumplen (exigido 3, alcanzado 1)."
    )
    few = said("es", "under 1 % of the records have a unique value")
    assert few == "menos del 1\u00a0% de los registros tienen un valor único"
    many = "12,345 records (12.5 %) are unique on their quasi-identifiers."
    assert said("es", many).startswith("12\u202f345 registros (12,5\u00a0%) son únicos")


def test_a_name_in_quotation_marks_stays_as_it_is() -> None:
    assert "«1.5»" in said("es", "Column '1.5' holds numbers: type a number.")


@pytest.mark.parametrize("make", [patients, adult])
def test_every_reason_and_every_verdict_of_the_examples_is_translated(make: Any) -> None:
    frame: pl.DataFrame = make(400) if make is patients else make().head(400)
    looked = mv.inspect(frame)
    for column in looked.columns:
        for reason in column.reasons:
            assert said("es", reason) != reason
        assert listed("es", column.reasons).count(";") >= len(column.reasons) - 1
    for caution in looked.warnings:
        assert said("es", caution.text) != caution.text
    found = mv.assess(frame, looked.roles, measures=["class_sizes"])
    for verdict in found.verdicts:
        assert said("es", verdict.sentence) != verdict.sentence


def test_every_kind_of_column_has_its_noun_and_its_reason() -> None:
    nouns = {one.noun for one in DETECTORS} | {one.why for one in DETECTORS}
    assert sorted(nouns - set(SENTENCES)) == []


def test_why_a_measure_was_not_taken_is_told_in_spanish() -> None:
    table = mv.Table(patients(60), mv.Roles(quasi_identifiers=["sex", "age"]))
    measures = [mv.PopulationRisk(), mv.RecordLinkage(), mv.Prediction()]
    found = take(measures, Subject(table, table, aligned=False))
    assert len(found.skipped) == len(measures)
    for reason in found.skipped.values():
        assert said("es", reason) != reason, reason


def test_every_requirement_is_judged_in_spanish() -> None:
    table = mv.Table(patients(60), mv.Roles(quasi_identifiers=["sex"], sensitive=["disease"]))
    classes = mv.Classes.of(table)
    for model in (mv.KAnonymity(k=3), mv.LDiversity(l=2), mv.TCloseness(t=0.5)):
        check = model.check(classes)
        for one in (check, replace(check, kept_as_a_whole=not check.kept_as_a_whole)):
            assert "umple" in said("es", one.sentence()), one.sentence()


def test_english_has_no_space_before_the_percent_sign() -> None:
    told = "A person's 'x 5 %' is found in 96.4 % of cases (100 % at worst), a neighbour's in 3 %."
    assert said("en", told) == (
        "A person's 'x 5 %' is found in 96.4% of cases (100% at worst), a neighbour's in 3%."
    )


def test_what_holds_in_the_population_is_told_in_spanish() -> None:
    told = (
        "Two sources about a person are linked through the release in 5.16 % of 2,000 attempts, "
        "against below 0.1 % by guessing: a risk of 5.12 % (between 4.14 % and 6.1 %); below 0.1 % "
        "of the matches within this sample hold in the population."
    )
    spanish = said("es", told)
    assert spanish.startswith("Dos fuentes sobre una persona se enlazan")
    assert "menos del 0,1\u00a0% de las coincidencias dentro de esta muestra" in spanish
    assert "el menos" not in spanish
    assert said("es", "as it is") == "tal cual"
    assert said("es", "2 masked") == "2 enmascarados"
