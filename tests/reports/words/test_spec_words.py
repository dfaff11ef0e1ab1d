from __future__ import annotations

from microveil.reports.words.speaking import speaking
from microveil.reports.words.spec_words import QUESTIONS, fact_name, scale_name, summary_of
from microveil.risk import RISK_MEASURES
from microveil.utility import UTILITY_MEASURES


def test_every_question_of_a_measure_is_known() -> None:
    asked = {kind.question for kind in (*RISK_MEASURES, *UTILITY_MEASURES)}
    assert sorted(asked - set(QUESTIONS)) == []


def test_specs_and_facts_are_told_in_the_language_of_the_report() -> None:
    assert summary_of("drop", "Remove columns.") == "Remove columns."
    assert fact_name("n_labels_after") == "labels after"
    assert scale_name("of_tomorrow") == "of tomorrow"
    with speaking("es"):
        assert summary_of("drop", "Remove columns.") == "Quita columnas de la tabla."
        assert fact_name("n_labels_after") == "etiquetas después"
