from __future__ import annotations

from microveil.release import Release
from microveil.reports import summarize
from microveil.reports.exporting import BY_DEFAULT, export_sentences


def test_what_was_written_is_told_without_small_counts(sound: Release) -> None:
    written = {"shuffled": True, "n_neutralized": {"town": 3}}

    assert "3 text cells in town" in " ".join(summarize(sound, written=written).export)
    public = " ".join(summarize(sound, "public", written=written).export)
    assert "random order" in public
    assert "<10 text cells in town" in public


def test_the_order_of_rows_and_formulas_are_told_as_they_were_written() -> None:
    facts = {"shuffled": False, "n_neutralized": {"comment": 1}}
    order, formulas = export_sentences(facts, "internal")
    assert order == "Rows were written in the order of the original."
    assert formulas.startswith("1 text cell in comment got an apostrophe")
    assert "No text cell" in export_sentences({"n_neutralized": {}}, "public")[0]


def test_without_a_file_the_rule_is_told() -> None:
    assert export_sentences(None, "public") == (BY_DEFAULT,)
    assert export_sentences({}, "public") == ()
