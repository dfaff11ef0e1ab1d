"""Spanish: what each measure of risk and utility says."""

from __future__ import annotations

from microveil.risk import RISK_MEASURES
from microveil.utility import UTILITY_MEASURES
from microveil.web.texts.es.measures import MEASURES
from microveil.web.texts.specs import summary

KNOWN = {**RISK_MEASURES.classes, **UTILITY_MEASURES.classes}


def test_every_measure_is_explained_in_one_sentence() -> None:
    assert set(MEASURES) <= set(KNOWN)
    assert len(MEASURES) >= 0.9 * len(KNOWN)
    for kind, sentence in MEASURES.items():
        assert sentence.endswith("."), kind
        assert summary("es", KNOWN[kind]) == sentence != summary("en", KNOWN[kind])
