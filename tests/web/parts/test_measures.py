"""Measures are told with their meaning, verdicts as sentences."""

from __future__ import annotations

from pathlib import Path

from microveil.risk import RISK_MEASURES
from microveil.texts import COMPLETE
from microveil.utility import UTILITY_MEASURES
from microveil.web.parts.measures import measure_table, summary_of, value_of, verdict_list
from microveil.web.project.risk_view import MeasureView
from tests.web.drawing import drawn, paper


def test_every_measure_has_a_meaning_in_every_language() -> None:
    names = [*RISK_MEASURES.classes, *UTILITY_MEASURES.classes]
    for language in COMPLETE:
        assert all(summary_of(language, name) for name in names)
    assert summary_of("en", "prediction: ill") == summary_of("en", "prediction")
    assert summary_of("en", "of_tomorrow") == ""


def test_a_table_says_which_way_is_better(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    shown = [MeasureView("record_linkage", 0.123456, "lower", {})]
    found = drawn(lambda: measure_table(page, shown, "Risk"))
    assert "record linkage" in found.texts
    assert "0.1235" in found.texts
    assert page.text("better.lower") in found.texts
    assert drawn(lambda: measure_table(page, [], "Risk")).nodes == []


def test_verdicts_are_told_with_their_level(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    found = drawn(lambda: verdict_list(page, [("linkability", "high", "Many are linked.")]))
    assert found.texts == [
        page.text("level.high"),
        page.text("question.linkability"),
        "Many are linked.",
    ]
    assert page.text("level.high") != "level.high"


def test_next_to_nothing_is_told_without_powers_of_ten(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    told = [value_of(page, value) for value in (9.1e-05, 0.0, 0.00012345, -0.00005)]
    assert told == ["< 0.0001", "0", "0.0001234", "-5e-05"]
